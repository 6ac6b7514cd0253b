import { type Static, Type } from 'typebox'
import {
  clearable,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { maxQuestions, NewQuestion, Question } from './questions.schemas.ts'

const bank = {
  id: Id,
  name: Type.String(),
  topic: nullable(Type.String()),
  owner_id: nullable(Id),
  owner: nullable(Reference),
  question_count: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const BankSummary = named('QuestionBankSummary', strict(bank))
export type BankSummary = Static<typeof BankSummary>

export const Bank = named('QuestionBank', strict({ ...bank, questions: Type.Array(Question) }))
export type Bank = Static<typeof Bank>

export const NewBank = withExample(
  strict({
    name: Line(150),
    topic: clearable(Line(60)),
    questions: Type.Array(NewQuestion, { maxItems: maxQuestions }),
  }),
  {
    name: 'Product questions',
    questions: [
      {
        kind: 'single',
        text: 'Which plan has single sign-on?',
        options: [{ text: 'Enterprise', correct: true }, { text: 'Starter' }],
      },
    ],
  },
)
export type NewBank = Static<typeof NewBank>

export const BankQuery = listQuery({ sort: sortOrder(['-created_at', 'created_at']) })
export const BankParams = strict({ bank_id: Id })
