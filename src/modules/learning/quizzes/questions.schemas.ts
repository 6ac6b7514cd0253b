import { type Static, Type } from 'typebox'
import { clearable, Id, Line, named, nullable, strict } from '#platform/schema'

export const questionKinds = [
  'single',
  'multiple',
  'true_false',
  'short_text',
  'numeric',
  'ordering',
  'matching',
] as const
export type QuestionKind = (typeof questionKinds)[number]

export const maxQuestions = 200
const maxParts = 10
const maxNumber = 1_000_000_000_000

const parts = { minItems: 2, maxItems: maxParts }
const Text = Line(500)
const AnswerNumber = Type.Number({ minimum: -maxNumber, maximum: maxNumber })

/** A question as authors write it. Ids of its parts are given by the server, so that they tell nothing about the answer. */
export const NewQuestion = strict({
  id: Type.Optional({ ...Id, description: 'Of the question that this one replaces; its answers stay valid.' }),
  kind: Type.Enum([...questionKinds]),
  text: Line(2_000),
  points: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 1.' })),
  topic: clearable(Line(60)),
  explanation: clearable(Line(2_000)),
  is_active: Type.Optional(Type.Boolean({ description: 'Default: true. Inactive questions are not asked.' })),
  options: Type.Optional(
    Type.Array(strict({ text: Text, correct: Type.Optional(Type.Boolean({ description: 'Default: false.' })) }), {
      ...parts,
      description: 'Of `single` and `true_false` (one correct option) and `multiple` (at least one).',
    }),
  ),
  accepted: Type.Optional(Type.Array(Text, { minItems: 1, maxItems: 20, description: 'Of `short_text`.' })),
  value: Type.Optional({ ...AnswerNumber, description: 'Of `numeric`.' }),
  tolerance: Type.Optional(Type.Number({ minimum: 0, maximum: maxNumber, description: 'Of `numeric`. Default: 0.' })),
  items: Type.Optional(Type.Array(Text, { ...parts, description: 'Of `ordering`, in the right order.' })),
  pairs: Type.Optional(Type.Array(strict({ left: Text, right: Text }), { ...parts, description: 'Of `matching`.' })),
})
export type NewQuestion = Static<typeof NewQuestion>

export const NewQuestions = Type.Array(NewQuestion, { maxItems: maxQuestions })

const Part = strict({ id: Type.String(), text: Type.String() })
const Pair = strict({
  left_id: Type.String(),
  left: Type.String(),
  right_id: Type.String(),
  right: Type.String(),
})

/** Contains the answers; for authors only. */
export const Question = named(
  'QuizQuestion',
  strict({
    id: Id,
    kind: Type.Enum([...questionKinds]),
    text: Type.String(),
    points: Type.Integer(),
    topic: nullable(Type.String()),
    explanation: nullable(Type.String()),
    is_active: Type.Boolean(),
    options: Type.Optional(Type.Array(strict({ id: Type.String(), text: Type.String(), correct: Type.Boolean() }))),
    accepted: Type.Optional(Type.Array(Type.String())),
    value: Type.Optional(Type.Number()),
    tolerance: Type.Optional(Type.Number()),
    items: Type.Optional(Type.Array(Part)),
    pairs: Type.Optional(Type.Array(Pair)),
  }),
)
export type Question = Static<typeof Question>

/** Without anything that tells the answer. */
export const LearnerQuestion = named(
  'LearnerQuestion',
  strict({
    id: Id,
    kind: Type.Enum([...questionKinds]),
    text: Type.String(),
    points: Type.Integer(),
    options: Type.Optional(Type.Array(Part)),
    items: Type.Optional(Type.Array(Part)),
    lefts: Type.Optional(Type.Array(Part)),
    rights: Type.Optional(Type.Array(Part)),
  }),
)
export type LearnerQuestion = Static<typeof LearnerQuestion>

const PartId = Type.String({ minLength: 1, maxLength: 40 })
const PartIds = Type.Array(PartId, { maxItems: maxParts, uniqueItems: true })

export const Answer = strict({
  question_id: Id,
  option_ids: Type.Optional({ ...PartIds, description: 'For `single`, `true_false` and `multiple`.' }),
  text: Type.Optional(Type.String({ maxLength: 2_000, description: 'For `short_text`.' })),
  number: Type.Optional({ ...AnswerNumber, description: 'For `numeric`.' }),
  order: Type.Optional({ ...PartIds, description: 'For `ordering`: ids of the items.' }),
  pairs: Type.Optional(
    Type.Array(strict({ left_id: PartId, right_id: PartId }), { maxItems: maxParts, description: 'For `matching`.' }),
  ),
})
export type Answer = Static<typeof Answer>

export const Answers = Type.Array(Answer, {
  maxItems: maxQuestions,
  description: 'At most one answer per question. Questions without an answer earn no points.',
})
