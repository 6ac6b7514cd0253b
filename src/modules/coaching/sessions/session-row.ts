import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { ScenarioRow } from '../scenarios/scenario-row.ts'
import type { Scorecard } from './scorecard.schemas.ts'
import type { ActionItem, CoachScore, SessionKind, SessionStatus } from './sessions.schemas.ts'

export const sessionColumns = [
  'id',
  'kind',
  'scenario_id',
  'persona_id',
  'rep_id',
  'coach_id',
  'status',
  'is_private',
  'scheduled_at',
  'duration_minutes',
  'agenda',
  'started_at',
  'finished_at',
  'scenario_snapshot',
  'score',
  'passed',
  'scorecard',
  'coach_scores',
  'feedback',
  'rep_reflection',
  'action_items',
  'acknowledged_at',
  'attempt_no',
  'turns',
  'insufficient',
  'practice_reason',
  'auto_finished',
  'created_at',
  'updated_at',
  'version',
] as const

export type ScenarioSnapshot = Pick<
  ScenarioRow,
  | 'title'
  | 'type'
  | 'difficulty'
  | 'brief'
  | 'buyer_context'
  | 'max_turns'
  | 'time_limit_seconds'
  | 'passing_score'
  | 'rubric'
  | 'rubric_version'
>

type Columns = Selectable<Database['enablement.coaching_sessions']>
type TypedColumns = {
  kind: SessionKind
  status: SessionStatus
  scenario_snapshot: ScenarioSnapshot
  scorecard: Scorecard | null
  coach_scores: CoachScore[] | null
  action_items: ActionItem[]
  practice_reason: 'other_persona' | 'hints' | null
}
export type SessionRow = Omit<Pick<Columns, (typeof sessionColumns)[number]>, keyof TypedColumns> & TypedColumns
