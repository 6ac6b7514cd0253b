import { type Static, Type } from 'typebox'
import {
  clearable,
  enumList,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { CriterionSummary, NewCriteria } from '../criteria/criteria.schemas.ts'

export const scenarioTypes = [
  'discovery',
  'demo',
  'objection_handling',
  'negotiation',
  'closing',
  'cold_call',
  'renewal',
  'qbr',
  'custom',
] as const
export type ScenarioType = (typeof scenarioTypes)[number]
export const difficulties = ['easy', 'medium', 'hard', 'expert'] as const
export type Difficulty = (typeof difficulties)[number]
export const scenarioStatuses = ['draft', 'published', 'archived'] as const
export type ScenarioStatus = (typeof scenarioStatuses)[number]

const text = nullable(Type.String())

export const Scenario = named(
  'CoachingScenario',
  strict({
    id: Id,
    title: Type.String(),
    description: text,
    type: Type.Enum([...scenarioTypes]),
    difficulty: Type.Enum([...difficulties]),
    status: Type.Enum([...scenarioStatuses]),
    persona_id: nullable(Id),
    persona: nullable(Reference),
    brief: nullable(Type.String({ description: 'What the seller is told.' })),
    buyer_context: nullable(Type.String({ description: 'Null unless the caller is a manager or an admin.' })),
    max_turns: Type.Integer(),
    time_limit_seconds: nullable(Type.Integer()),
    passing_score: Type.Integer(),
    rubric: Type.Array(CriterionSummary),
    rubric_version: Type.Integer(),
    is_system: Type.Boolean({ description: 'Created with the workspace.' }),
    owner_id: nullable(Id),
    owner: nullable(Reference),
    attempts: Type.Integer({ description: 'Roleplays of the caller, without private ones.' }),
    best_score: nullable(Type.Integer({ description: 'The best score of the caller.' })),
    created_by: nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Scenario = Static<typeof Scenario>

const Title = Line(150)
const Kind = Type.Enum([...scenarioTypes])
const optionalFields = {
  description: clearable(Type.String({ maxLength: 4_000 })),
  difficulty: Type.Optional(Type.Enum([...difficulties], { description: 'Default: `medium`.' })),
  persona_id: clearable(Id),
  brief: clearable(Type.String({ maxLength: 5_000, description: 'What the seller is told.' })),
  buyer_context: clearable(
    Type.String({ maxLength: 4_000, description: 'Notes of the authors, which neither sellers nor models get.' }),
  ),
  max_turns: Type.Optional(Type.Integer({ minimum: 4, maximum: 60, description: 'Default: 24.' })),
  time_limit_seconds: clearable(Type.Integer({ minimum: 60, maximum: 7_200 })),
  passing_score: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Default: 70.' })),
}

export const NewScenario = withExample(strict({ title: Title, type: Kind, rubric: NewCriteria, ...optionalFields }), {
  title: 'First call with an operations lead',
  type: 'discovery',
  brief: 'Find out how the team works today, and agree on a next step.',
  rubric: [
    { key: 'questions', name: 'Questions', weight: 60, kind: 'questions' },
    { key: 'next_step', name: 'Next step', weight: 40, kind: 'next_step' },
  ],
})
export type NewScenario = Static<typeof NewScenario>

export const ScenarioChanges = strict({
  title: Type.Optional(Title),
  type: Type.Optional(Kind),
  rubric: Type.Optional(NewCriteria),
  ...optionalFields,
  status: Type.Optional(Type.Enum([...scenarioStatuses])),
  owner_id: Type.Optional(Id),
})
export type ScenarioChanges = Static<typeof ScenarioChanges>

export const ScenarioQuery = listQuery({
  type: Type.Optional(enumList([...scenarioTypes])),
  difficulty: Type.Optional(enumList([...difficulties])),
  status: Type.Optional({
    ...enumList([...scenarioStatuses]),
    description: 'Default: `published`. Drafts are listed for their owner, managers and admins.',
  }),
  search: Type.Optional(Search),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type ScenarioQuery = Static<typeof ScenarioQuery>

export const ScenarioParams = strict({ scenario_id: Id })
