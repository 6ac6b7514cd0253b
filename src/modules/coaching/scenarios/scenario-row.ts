import type { Selectable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'
import type { Criterion } from '../criteria/criteria.schemas.ts'
import type { Difficulty, ScenarioStatus, ScenarioType } from './scenarios.schemas.ts'

export const scenarioColumns = [
  'id',
  'title',
  'description',
  'type',
  'difficulty',
  'status',
  'persona_id',
  'brief',
  'buyer_context',
  'max_turns',
  'time_limit_seconds',
  'passing_score',
  'rubric',
  'rubric_version',
  'is_system',
  'owner_id',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
] as const

type Columns = Selectable<Database['enablement.coaching_scenarios']>
type TypedColumns = { type: ScenarioType; difficulty: Difficulty; status: ScenarioStatus; rubric: Criterion[] }
export type ScenarioRow = Omit<Pick<Columns, (typeof scenarioColumns)[number]>, keyof TypedColumns> & TypedColumns

/** Throws if records of another module use the scenario, which cannot be deleted then. */
export type AssertScenarioUnused = (tx: TenantTx, scenario: { id: string }) => Promise<void>

export const scenarioUsePoint = defineExtensionPoint<AssertScenarioUnused>('uses of coaching scenarios')
