import { type Static, Type } from 'typebox'
import { CalendarDay, clearable, Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { clearableText, LocalizedText, TextMap } from '../translations/texts.schemas.ts'
import { ConditionDocument } from './condition.schemas.ts'

export const scoreTypes = ['nps', 'csat', 'ces'] as const
export const questionTypes = [
  ...scoreTypes,
  'rating',
  'single_choice',
  'multiple_choice',
  'ranking',
  'matrix',
  'short_text',
  'long_text',
  'number',
  'date',
  'email',
  'yes_no',
  'consent',
  'statement',
] as const
export type QuestionType = (typeof questionTypes)[number]

export const maxQuestions = 100
const keyPattern = '^[a-z][a-z0-9_]{0,39}$'
export const QuestionKey = Type.String({ pattern: keyPattern, maxLength: 40, examples: ['reason'] })

const NewOption = strict({
  key: QuestionKey,
  label: LocalizedText(200),
  exclusive: Type.Optional(Type.Boolean({ description: 'Cannot be chosen together with other options.' })),
})
const NewMatrixPart = strict({ key: QuestionKey, label: LocalizedText(200) })
export type NewOption = Static<typeof NewOption>

const bound = Type.Unsafe<number | string>({
  anyOf: [{ type: 'number', minimum: -1e15, maximum: 1e15 }, CalendarDay],
  description: 'A number for `number`, a day for `date`.',
})

const NewRules = strict({
  labels: Type.Optional(strict({ low: Type.Optional(LocalizedText(200)), high: Type.Optional(LocalizedText(200)) })),
  scale: Type.Optional(Type.Integer({ minimum: 3, maximum: 10 })),
  shape: Type.Optional(Type.Enum(['star', 'number', 'smiley'])),
  allow_other: Type.Optional(Type.Boolean()),
  shuffle: Type.Optional(Type.Boolean()),
  display: Type.Optional(Type.Enum(['radio', 'dropdown'])),
  min_selected: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
  max_selected: clearable(Type.Integer({ minimum: 1, maximum: 50 })),
  rank_all: Type.Optional(Type.Boolean()),
  rows: Type.Optional(Type.Array(NewMatrixPart, { minItems: 1, maxItems: 20 })),
  columns: Type.Optional(Type.Array(NewMatrixPart, { minItems: 2, maxItems: 10 })),
  max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000 })),
  format: Type.Optional(Type.Enum(['any', 'url', 'phone', 'digits'])),
  min: clearable(bound),
  max: clearable(bound),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
})
export type NewRules = Static<typeof NewRules>

const writable = {
  help: clearableText(1_000),
  required: Type.Optional(Type.Boolean({ description: 'Applies if the question is shown.' })),
  is_primary: Type.Optional(
    Type.Boolean({ description: 'The score of the survey; its type must be the type of the survey.' }),
  ),
  options: Type.Optional(
    Type.Array(NewOption, { maxItems: 50, description: 'All options in order. Options that are missing are deleted.' }),
  ),
  rules: Type.Optional(NewRules),
  show_if: clearable(ConditionDocument),
  end_if: clearable(ConditionDocument),
  position: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxQuestions, description: 'The following questions move down.' }),
  ),
}

export const NewQuestion = strict({
  title: LocalizedText(500),
  question_type: Type.Enum([...questionTypes]),
  key: Type.Optional(QuestionKey),
  ...writable,
})
export type NewQuestion = Static<typeof NewQuestion>

export const QuestionChanges = strict({
  title: Type.Optional(LocalizedText(500)),
  question_type: Type.Optional(Type.Enum([...questionTypes])),
  key: Type.Optional(QuestionKey),
  ...writable,
})
export type QuestionChanges = Static<typeof QuestionChanges>

export const QuestionOrder = strict({
  question_ids: Type.Array(Id, { minItems: 1, maxItems: maxQuestions, uniqueItems: true }),
})
export const QuestionParams = strict({ survey_id: Id, question_id: Id })

const Option = strict({
  key: Type.String(),
  label: TextMap,
  exclusive: Type.Boolean(),
  archived: Type.Boolean({ description: 'Deleted, but chosen in earlier responses.' }),
})
export type QuestionOption = Static<typeof Option>
const MatrixPart = strict({ key: Type.String(), label: TextMap })
export type MatrixPart = Static<typeof MatrixPart>

/** Only the rules of the type of the question are present. */
export const QuestionRules = strict({
  labels: Type.Optional(strict({ low: TextMap, high: TextMap })),
  scale: Type.Optional(Type.Integer()),
  shape: Type.Optional(Type.String()),
  allow_other: Type.Optional(Type.Boolean()),
  shuffle: Type.Optional(Type.Boolean()),
  display: Type.Optional(Type.String()),
  min_selected: Type.Optional(Type.Integer()),
  max_selected: clearable(Type.Integer()),
  rank_all: Type.Optional(Type.Boolean()),
  rows: Type.Optional(Type.Array(MatrixPart)),
  columns: Type.Optional(Type.Array(MatrixPart)),
  max_length: Type.Optional(Type.Integer()),
  format: Type.Optional(Type.String()),
  min: Type.Optional(Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] })),
  max: Type.Optional(Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] })),
  decimals: Type.Optional(Type.Integer()),
})
export type QuestionRules = Static<typeof QuestionRules>

export const Question = named(
  'SurveyQuestion',
  strict({
    id: Id,
    survey_id: Id,
    key: Type.String(),
    position: Type.Integer(),
    question_type: Type.Enum([...questionTypes]),
    title: TextMap,
    help: TextMap,
    required: Type.Boolean(),
    is_primary: Type.Boolean(),
    options: Type.Array(Option),
    rules: QuestionRules,
    show_if: nullable(ConditionDocument),
    end_if: nullable(ConditionDocument),
    revision: Type.Integer({ description: 'Counts changes since the first response.' }),
    archived_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Question = Static<typeof Question>
