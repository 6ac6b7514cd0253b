import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { ExitReason } from '../cadence-records/enrollment-states.rules.ts'

export async function upsertSentSteps(tx: TenantTx, runIds: readonly string[], sentAt: Date): Promise<void> {
  await sql`
    insert into marketing.cadence_sent_steps (enrollment_id, step_id, run_id, sent_at)
    select enrollment_id, step_id, id, ${sentAt}::timestamptz from marketing.cadence_step_runs
    where id = any(${runIds}::uuid[]) order by enrollment_id, step_id
    on conflict (tenant_id, enrollment_id, step_id) do update set run_id = excluded.run_id, sent_at = excluded.sent_at
  `.execute(tx)
}

export type PersonExit = { enrollment_id: string; reason: ExitReason; ended_at: Date }

export async function insertPersonExits(tx: TenantTx, exits: readonly PersonExit[]): Promise<void> {
  if (!exits.length) return
  const { columns, rows } = selectRows(exits, { enrollment_id: 'uuid', reason: 'text', ended_at: 'timestamptz' })
  await tx
    .insertInto('marketing.cadence_person_exits')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'enrollment_id']).doNothing())
    .execute()
}

/** Restored enrollments that are live, although they ended because of their person. */
export async function listLivePersonExits(tx: TenantTx): Promise<{ id: string; reason: ExitReason }[]> {
  const { rows } = await sql<{ id: string; reason: ExitReason }>`
    select enrollment.id, ended.reason from marketing.cadence_person_exits ended
    join marketing.cadence_enrollments enrollment on enrollment.id = ended.enrollment_id
    where enrollment.status in ('active', 'paused') order by enrollment.id
  `.execute(tx)
  return rows
}

/** Ends the restored runs whose email is queued. It may have been sent, so their steps count as executed. */
export async function skipQueuedRuns(tx: TenantTx): Promise<void> {
  await sql`
    update marketing.cadence_step_runs set state = 'skipped', skip_reason = 'restored', reserved_on = null
    where state = 'claimed' and activity_id is null
    returning id
  `.execute(tx)
}

/** Emails that were sent after the backup, and whose step and live enrollment are restored. */
const missing = sql`
  select sent.run_id, sent.enrollment_id, sent.step_id, sent.sent_at, enrollment.cadence_id
  from marketing.cadence_sent_steps sent
  join marketing.cadence_enrollments enrollment on enrollment.id = sent.enrollment_id
  join marketing.cadence_steps step on step.id = sent.step_id
  where enrollment.status in ('active', 'paused') and not exists (
    select from marketing.cadence_step_runs run
    where run.enrollment_id = sent.enrollment_id and run.step_id = sent.step_id and run.state in ('done', 'uncertain'))`

export async function listSentEnrollmentIds(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct enrollment_id as id from (${missing}) as missing`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** Locks the runs that a restore may change: those of the enrollments that were not executed, and the queued ones. */
export async function lockRestoredRuns(tx: TenantTx, enrollmentIds: readonly string[]): Promise<void> {
  await sql`
    select id from marketing.cadence_step_runs
    where (enrollment_id = any(${enrollmentIds}::uuid[]) and state in ('waiting', 'claimed', 'skipped', 'failed'))
      or (state = 'claimed' and activity_id is null)
    order by id for update
  `.execute(tx)
}

export async function updateSentEnrollments(tx: TenantTx): Promise<void> {
  await sql`
    update marketing.cadence_enrollments enrollment
    set last_step_at = greatest(enrollment.last_step_at, sent.last_at),
      first_delivered_at = coalesce(enrollment.first_delivered_at, sent.first_at)
    from (
      select enrollment_id, max(sent_at) as last_at, min(sent_at) as first_at from (${missing}) as missing group by enrollment_id
    ) as sent
    where enrollment.id = sent.enrollment_id
    returning enrollment.id
  `.execute(tx)
}

/** Deletes the restored runs of emails that were sent after the backup. For locked runs. */
export async function deleteUnsentRuns(tx: TenantTx): Promise<void> {
  await sql`
    delete from marketing.cadence_step_runs run using (${missing}) as missing
    where run.enrollment_id = missing.enrollment_id and run.step_id = missing.step_id
    returning run.id
  `.execute(tx)
}

/** Inserts the runs of emails that were sent after the backup, in the time zone of the workspace. Returns their cadences. */
export async function insertSentRuns(tx: TenantTx, timezone: string): Promise<string[]> {
  const { rows } = await sql<{ cadence_id: string }>`
    insert into marketing.cadence_step_runs (id, enrollment_id, cadence_id, step_id, state, run_at, claimed_at, done_at, reserved_on)
    select run_id, enrollment_id, cadence_id, step_id, 'done', sent_at, sent_at, sent_at, (sent_at at time zone ${timezone})::date
    from (${missing}) as missing
    returning cadence_id
  `.execute(tx)
  return [...new Set(rows.map(({ cadence_id }) => cadence_id))]
}
