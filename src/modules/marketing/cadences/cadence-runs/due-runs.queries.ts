import { sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'
import { type EnrollmentRow, enrollmentColumns } from '../cadence-records/enrollments.queries.ts'
import { type RunRow, runColumns } from '../cadence-records/runs.queries.ts'
import type { StepType } from '../cadence-records/steps.queries.ts'

export const listTenantsWithDueRuns = (system: SystemTx, now: Date): Promise<string[]> =>
  listTenantsAsRetention(
    system,
    (tx) =>
      listTenantsWithRows(tx, 'marketing.cadence_step_runs', sql`state = 'waiting' and run_at <= ${now}`, 'run_at'),
    (tx) => listTenantsWithRows(tx, 'marketing.cadence_step_runs', sql`skip_at <= ${now}`, 'skip_at'),
    (tx) =>
      listTenantsWithRows(
        tx,
        'marketing.cadence_enrollments',
        sql`status = 'paused' and paused_until <= ${now}`,
        'paused_until',
      ),
  )

export type DueRun = { id: string; type: StepType; has_text: boolean }

/** Waiting runs in the order of their times. A manual email is sent as soon as its sender has written it. */
export async function listDueRuns(tx: TenantTx, now: Date, limit: number): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    select due.id, step.type, due.has_text
    from (
      select id, step_id, run_at, subject is not null as has_text from marketing.cadence_step_runs
      where state = 'waiting' and run_at <= ${now} order by run_at, id limit ${limit}
    ) as due
    join marketing.cadence_steps step on step.id = due.step_id
    order by due.run_at, due.id
  `.execute(tx)
  return rows
}

export async function listDueSkips(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select('id')
    .where('skip_at', '<=', now)
    .orderBy('skip_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function listDueResumes(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('id')
    .where('status', '=', sql.lit('paused'))
    .where('paused_until', '<=', now)
    .orderBy('paused_until')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Enrollments that another transaction changes are left for the next run. */
export async function lockFreeEnrollments(tx: TenantTx, ids: readonly string[]): Promise<EnrollmentRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select(enrollmentColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  return rows as unknown as EnrollmentRow[]
}

export async function lockWaitingRuns(tx: TenantTx, ids: readonly string[]): Promise<RunRow[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select(runColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', '=', sql.lit('waiting'))
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows as unknown as RunRow[]
}

export async function updateClaimedRuns(
  tx: TenantTx,
  ids: readonly string[],
  { now, day }: { now: Date; day: string },
): Promise<void> {
  if (!ids.length) return
  await tx
    .updateTable('marketing.cadence_step_runs')
    .set({ state: 'claimed', claimed_at: now, reserved_on: day })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('id')
    .execute()
}

export type MovedRun = { id: string; enrollment_id: string; run_at: Date }

export async function updateMovedRuns(tx: TenantTx, runs: readonly MovedRun[]): Promise<void> {
  if (!runs.length) return
  await sql`
    update marketing.cadence_step_runs run set run_at = moved.run_at
    from json_to_recordset(${JSON.stringify(runs)}::json) as moved (id uuid, run_at timestamptz)
    where run.id = moved.id and run.id = any(${runs.map(({ id }) => id)}::uuid[])
    returning run.id
  `.execute(tx)
}

export async function updateNextRuns(
  tx: TenantTx,
  enrollments: readonly { id: string; next_run_at: Date | null }[],
): Promise<void> {
  if (!enrollments.length) return
  await sql`
    update marketing.cadence_enrollments enrollment set next_run_at = next.next_run_at
    from json_to_recordset(${JSON.stringify(enrollments)}::json) as next (id uuid, next_run_at timestamptz)
    where enrollment.id = next.id and enrollment.id = any(${enrollments.map(({ id }) => id)}::uuid[])
    returning enrollment.id
  `.execute(tx)
}
