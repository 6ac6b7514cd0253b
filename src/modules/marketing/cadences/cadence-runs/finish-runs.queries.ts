import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type ExecutedStep = { id: string; at: Date; is_delivered: boolean }

/** For locked enrollments. Returns those whose first email was delivered. */
export async function updateExecutedSteps(tx: TenantTx, steps: readonly ExecutedStep[]): Promise<string[]> {
  if (!steps.length) return []
  const { rows } = await sql<{ id: string; is_first: boolean }>`
    with former as (
      select id, first_delivered_at from marketing.cadence_enrollments where id = any(${steps.map(({ id }) => id)}::uuid[])
    )
    update marketing.cadence_enrollments enrollment
    set last_step_at = greatest(enrollment.last_step_at, step.at),
      first_delivered_at = coalesce(enrollment.first_delivered_at, case when step.is_delivered then step.at end)
    from json_to_recordset(${JSON.stringify(steps)}::json) as step (id uuid, at timestamptz, is_delivered boolean)
    join former using (id)
    where enrollment.id = step.id
    returning enrollment.id, former.first_delivered_at is null and enrollment.first_delivered_at is not null as is_first
  `.execute(tx)
  return rows.filter(({ is_first }) => is_first).map(({ id }) => id)
}

/** For locked runs and enrollments. Returns the enrollments that have no delivered email left. */
export async function markBounced(
  tx: TenantTx,
  runIds: readonly string[],
  enrollmentIds: readonly string[],
  at: Date,
): Promise<string[]> {
  if (!runIds.length) return []
  await tx
    .updateTable('marketing.cadence_step_runs')
    .set({ bounced_at: at })
    .where('id', '=', sql<string>`any(${runIds}::uuid[])`)
    .returning('id')
    .execute()
  const { rows } = await sql<{ id: string }>`
    update marketing.cadence_enrollments enrollment set first_delivered_at = null
    where id = any(${enrollmentIds}::uuid[]) and first_delivered_at is not null and not exists (
      select from marketing.cadence_step_runs run
      where run.enrollment_id = enrollment.id and run.state = 'done' and run.reserved_on is not null and run.bounced_at is null)
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** For a locked run. Returns whether this is the first reply to its email. */
export async function markRunReplied(tx: TenantTx, runId: string, at: Date): Promise<boolean> {
  const run = await tx
    .updateTable('marketing.cadence_step_runs')
    .set({ replied_at: at })
    .where('id', '=', runId)
    .where('replied_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return run !== undefined
}

/** For locked enrollments. Returns those whose person replies for the first time. */
export const markEnrollmentsReplied = (
  tx: TenantTx,
  ids: readonly string[],
  at: Date,
): Promise<{ id: string; cadence_id: string }[]> =>
  tx
    .updateTable('marketing.cadence_enrollments')
    .set({ replied_at: at })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('replied_at', 'is', null)
    .returning(['id', 'cadence_id'])
    .execute()
