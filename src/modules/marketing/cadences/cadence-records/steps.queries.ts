import { type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

export const stepTypes = ['email_auto', 'email_manual', 'call', 'task'] as const
export type StepType = (typeof stepTypes)[number]

export const stepColumns = [
  'id',
  'cadence_id',
  'position',
  'type',
  'delay_days',
  'delay_hours',
  'business_days',
  'subject_template',
  'body_template',
  'reply_in_thread',
  'instructions',
  'auto_skip_after_days',
] as const
export type StepRow = Omit<
  Pick<Selectable<Database['marketing.cadence_steps']>, (typeof stepColumns)[number]>,
  'type'
> & { type: StepType }

/** Steps of cadences that were not removed, by position. */
export async function listSteps(tx: TenantTx, cadenceIds: readonly string[]): Promise<StepRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_steps')
    .select(stepColumns)
    .where('cadence_id', '=', sql<string>`any(${cadenceIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('cadence_id')
    .orderBy('position')
    .execute()
  return rows as unknown as StepRow[]
}

export type StepSummaryRow = Pick<StepRow, 'id' | 'cadence_id' | 'position' | 'type' | 'subject_template'>

/** Steps of cadences that were not removed, without their texts. */
export async function listStepSummaries(tx: TenantTx, cadenceIds: readonly string[]): Promise<StepSummaryRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_steps')
    .select(['id', 'cadence_id', 'position', 'type', 'subject_template'])
    .where('cadence_id', '=', sql<string>`any(${cadenceIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return rows as unknown as StepSummaryRow[]
}

export type RemovableStepRow = StepRow & { deleted_at: Date | null }

/** Removed steps included. */
export async function listStepsById(tx: TenantTx, ids: readonly string[]): Promise<RemovableStepRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_steps')
    .select([...stepColumns, 'deleted_at'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows as unknown as RemovableStepRow[]
}
