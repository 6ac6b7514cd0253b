import { type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import type { EnrollmentStatus, ExitReason, PauseReason } from './enrollment-states.rules.ts'

export type { EnrollmentStatus, ExitReason, PauseReason }

export const enrollmentColumns = [
  'id',
  'cadence_id',
  'lead_id',
  'contact_id',
  'person_email_key',
  'sender_id',
  'status',
  'exit_reason',
  'paused_reason',
  'paused_until',
  'current_step_id',
  'next_run_at',
  'enrolled_by',
  'enrolled_via',
  'enrolled_at',
  'last_step_at',
  'ended_at',
  'first_delivered_at',
  'replied_at',
] as const
export type EnrollmentRow = Omit<
  Pick<Selectable<Database['marketing.cadence_enrollments']>, (typeof enrollmentColumns)[number]>,
  'status' | 'exit_reason' | 'paused_reason'
> & { status: EnrollmentStatus; exit_reason: ExitReason | null; paused_reason: PauseReason | null }

export const isLive = sql<boolean>`status in ('active', 'paused')`

/** For transactions that hold their cadence. */
export async function lockEnrollments(tx: TenantTx, ids: readonly string[]): Promise<EnrollmentRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select(enrollmentColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows as unknown as EnrollmentRow[]
}

export async function listEnrollments(tx: TenantTx, ids: readonly string[]): Promise<EnrollmentRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select(enrollmentColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows as unknown as EnrollmentRow[]
}

/** Cadences of enrollments, to lock them first. */
export async function listCadenceIds(tx: TenantTx, enrollmentIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('cadence_id')
    .distinct()
    .where('id', '=', sql<string>`any(${enrollmentIds}::uuid[])`)
    .execute()
  return rows.map(({ cadence_id }) => cadence_id)
}

export async function updateEndedEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  end: { status: 'completed' | 'exited'; exit_reason: ExitReason | null; ended_at: Date },
): Promise<void> {
  await tx
    .updateTable('marketing.cadence_enrollments')
    .set({ ...end, paused_reason: null, paused_until: null, next_run_at: null })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('id')
    .execute()
}

export async function updatePausedEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  pause: { paused_reason: PauseReason; paused_until: Date | null },
): Promise<void> {
  await tx
    .updateTable('marketing.cadence_enrollments')
    .set({ ...pause, status: 'paused', next_run_at: null })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('id')
    .execute()
}
