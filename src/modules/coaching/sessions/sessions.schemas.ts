import { type Static, Type } from 'typebox'
import {
  CalendarDay,
  clearable,
  Id,
  Instant,
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
import { CriterionSummary } from '../criteria/criteria.schemas.ts'
import { difficulties, scenarioTypes } from '../scenarios/scenarios.schemas.ts'
import { Scorecard } from './scorecard.schemas.ts'

export const sessionKinds = ['human', 'roleplay'] as const
export type SessionKind = (typeof sessionKinds)[number]
export const humanStatuses = ['scheduled', 'in_progress', 'completed', 'cancelled', 'no_show'] as const
export type HumanStatus = (typeof humanStatuses)[number]
const roleplayStatuses = ['active', 'evaluating', 'finished', 'abandoned'] as const
const sessionStatuses = [...humanStatuses, ...roleplayStatuses] as const
export type SessionStatus = (typeof sessionStatuses)[number]

const text = nullable(Type.String())
const at = nullable(Timestamp)

export const CoachScore = strict({
  key: Type.String(),
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  comment: text,
})
export type CoachScore = Static<typeof CoachScore>

export const ActionItem = strict({
  id: Id,
  text: Type.String(),
  due_on: nullable(CalendarDay),
  done: Type.Boolean(),
})
export type ActionItem = Static<typeof ActionItem>

const practiceReasons = ['private', 'other_persona', 'hints'] as const
export type PracticeReason = (typeof practiceReasons)[number]

const summaryFields = {
  id: Id,
  kind: Type.Enum([...sessionKinds]),
  status: Type.Enum([...sessionStatuses]),
  scenario_id: nullable({ ...Id, description: 'Null if the scenario was deleted, or for a call without one.' }),
  scenario: strict({
    title: Type.String(),
    type: Type.Enum([...scenarioTypes]),
    difficulty: Type.Enum([...difficulties]),
  }),
  persona_id: nullable(Id),
  rep_id: Id,
  rep: Reference,
  coach_id: nullable(Id),
  coach: nullable(Reference),
  is_private: Type.Boolean({ description: 'Only the seller sees the session, and it counts nowhere.' }),
  scheduled_at: at,
  duration_minutes: nullable(Type.Integer()),
  started_at: at,
  finished_at: at,
  attempt_no: nullable(Type.Integer()),
  turns: Type.Integer({ description: 'Messages of the seller in a roleplay.' }),
  score: nullable(Type.Integer({ description: 'The final score, with the corrections of the coach.' })),
  passed: nullable(Type.Boolean({ description: 'Null without a score, and for practice that is not private.' })),
  insufficient: Type.Boolean({
    description:
      'The roleplay could not be scored: it was too short, or its buyer had nothing to discover or to object.',
  }),
  practice_reason: nullable(
    Type.Enum([...practiceReasons], {
      description:
        'Why the session is practice, which completes no module and does not count for readiness: it is `private`, its buyer was an `other_persona` than that of the scenario, or the seller asked for `hints`. Null if it counts.',
    }),
  ),
  auto_finished: Type.Boolean({ description: 'Finished after a day without a message.' }),
  open_action_items: Type.Integer(),
  acknowledged_at: at,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const SessionSummary = named('CoachingSessionSummary', strict(summaryFields))
export type SessionSummary = Static<typeof SessionSummary>

export const sessionFields = {
  ...summaryFields,
  agenda: text,
  rubric: Type.Array(CriterionSummary),
  rubric_version: Type.Integer(),
  passing_score: Type.Integer(),
  scorecard: nullable(Scorecard),
  coach_scores: nullable(Type.Array(CoachScore)),
  feedback: text,
  rep_reflection: text,
  action_items: Type.Array(ActionItem),
}
export const Session = named('CoachingSession', strict(sessionFields))
export type Session = Static<typeof Session>

const Agenda = Type.String({ maxLength: 4_000 })
const Minutes = Type.Integer({ minimum: 15, maximum: 240 })

export const NewSession = strict({
  rep_id: { ...Id, description: 'The seller.' },
  coach_id: Type.Optional({
    ...Id,
    description: 'A manager, an admin or a lead of a team of the seller. Default: the caller.',
  }),
  scheduled_at: clearable(Instant),
  duration_minutes: Type.Optional({ ...Minutes, description: 'Default: 30.' }),
  agenda: clearable(Agenda),
})
export type NewSession = Static<typeof NewSession>

const Scores = Type.Array(
  strict({
    key: Type.String({ minLength: 1, maxLength: 40, examples: ['questions'] }),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    comment: clearable(Type.String({ maxLength: 500 })),
  }),
  { maxItems: 12 },
)

const ActionItemInput = strict({
  id: Type.Optional(Id),
  text: Type.Optional(Line(300)),
  due_on: clearable(CalendarDay),
  done: Type.Optional(Type.Boolean()),
})
export type ActionItemInput = Static<typeof ActionItemInput>

export const SessionChanges = withExample(
  strict({
    status: Type.Optional(Type.Enum([...humanStatuses])),
    skip_scoring: Type.Optional(Type.Boolean({ description: 'Completes a session without scores.' })),
    scheduled_at: clearable(Instant),
    duration_minutes: Type.Optional(Minutes),
    agenda: clearable(Agenda),
    scores: Type.Optional({ ...Scores, description: 'Scores of criteria, before the session is completed.' }),
    coach_scores: Type.Optional({ ...Scores, description: 'Corrections of scores, after the session has ended.' }),
    feedback: clearable(Type.String({ maxLength: 8_000 })),
    action_items: Type.Optional(
      Type.Array(ActionItemInput, {
        maxItems: 20,
        description: 'All items; those without `id` are new. The seller can only change `done`.',
      }),
    ),
    rep_reflection: clearable(Type.String({ maxLength: 4_000 })),
    acknowledged: Type.Optional(Type.Literal(true)),
  }),
  { status: 'in_progress' },
)
export type SessionChanges = Static<typeof SessionChanges>

export const SessionQuery = listQuery({
  kind: Type.Optional(Type.Enum([...sessionKinds])),
  status: Type.Optional(Type.Enum([...sessionStatuses])),
  rep_id: Type.Optional(Id),
  coach_id: Type.Optional(Id),
  scenario_id: Type.Optional(Id),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type SessionQuery = Static<typeof SessionQuery>

export const SessionParams = strict({ session_id: Id })
