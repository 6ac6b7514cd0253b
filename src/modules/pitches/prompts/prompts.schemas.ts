import { type Static, Type } from 'typebox'
import { CriterionSummary, languages, NewCriteria } from '#modules/coaching'
import {
  CalendarDay,
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

export const promptStatuses = ['draft', 'active', 'archived'] as const
export type PromptStatus = (typeof promptStatuses)[number]

export const Prompt = named(
  'PitchPrompt',
  strict({
    id: Id,
    title: Type.String(),
    instructions: nullable(Type.String()),
    time_limit_seconds: Type.Integer(),
    criteria: Type.Array(CriterionSummary),
    criteria_version: Type.Integer(),
    status: Type.Enum([...promptStatuses]),
    passing_score: Type.Integer(),
    max_takes: Type.Integer(),
    min_reviews: Type.Integer(),
    reviewer_ids: Type.Array(Id),
    exemplar_submission_id: nullable(Id),
    retention_days: nullable(Type.Integer()),
    language: Type.Enum([...languages]),
    owner_id: nullable(Id),
    owner: nullable(Reference),
    takes: Type.Integer({ description: 'Takes of the caller.' }),
    best_score: nullable(Type.Number({ description: 'The best final score of the caller.' })),
    due_on: nullable({ ...CalendarDay, description: 'From the assignment of the caller.' }),
    assignment_status: nullable(
      Type.Enum(['open', 'done'], { description: 'Null if the prompt is not assigned to the caller.' }),
    ),
    created_by: nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Prompt = Static<typeof Prompt>

const Title = Line(150)
const Assign = strict({
  user_ids: Type.Optional(Type.Array(Id, { maxItems: 200, uniqueItems: true })),
  team_ids: Type.Optional(
    Type.Array(Id, { maxItems: 50, uniqueItems: true, description: 'Their current members, without viewers.' }),
  ),
  due_on: clearable(CalendarDay),
})
export type Assign = Static<typeof Assign>

const optionalFields = {
  instructions: clearable(Type.String({ maxLength: 5_000 })),
  time_limit_seconds: Type.Optional(Type.Integer({ minimum: 15, maximum: 1_800, description: 'Default: 180.' })),
  passing_score: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Default: 70.' })),
  max_takes: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Default: 5.' })),
  min_reviews: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 5, description: 'Default: 1. With 0, the evaluation is enough.' }),
  ),
  reviewer_ids: Type.Optional(
    Type.Array(Id, { maxItems: 20, uniqueItems: true, description: 'Without any, the coaches of a seller review.' }),
  ),
  retention_days: clearable(
    Type.Integer({
      minimum: 7,
      maximum: 1_095,
      description: 'Videos are deleted after this many days; null: as the settings of the workspace say.',
    }),
  ),
  language: Type.Optional(Type.Enum([...languages], { description: 'Default: `en`.' })),
  assign: Type.Optional(Assign),
}

export const NewPrompt = withExample(strict({ title: Title, criteria: NewCriteria, ...optionalFields }), {
  title: 'Elevator pitch',
  instructions: 'Explain in a minute what we do, for whom, and what to do next.',
  time_limit_seconds: 60,
  criteria: [
    { key: 'topics', name: 'Topics', weight: 60, kind: 'keywords', config: { groups: [['setup'], ['security']] } },
    { key: 'next_step', name: 'Next step', weight: 40, kind: 'next_step' },
  ],
})
export type NewPrompt = Static<typeof NewPrompt>

export const PromptChanges = strict({
  title: Type.Optional(Title),
  criteria: Type.Optional(NewCriteria),
  ...optionalFields,
  status: Type.Optional(Type.Enum([...promptStatuses])),
  exemplar_submission_id: clearable({ ...Id, description: 'An exemplar among the submissions of the prompt.' }),
  owner_id: Type.Optional(Id),
})
export type PromptChanges = Static<typeof PromptChanges>

export const PromptQuery = listQuery({
  status: Type.Optional(
    Type.Enum([...promptStatuses], {
      description: 'Default: `active`. Drafts are listed for their owner, managers and admins.',
    }),
  ),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type PromptQuery = Static<typeof PromptQuery>

export const PromptParams = strict({ prompt_id: Id })
