import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function listLiveEnrollmentIds(tx: TenantTx, cadenceId: string, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('id')
    .where('cadence_id', '=', cadenceId)
    .where('status', 'in', [sql.lit('active'), sql.lit('paused')])
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

type Page = { after: string; limit: number }

export async function listActiveEnrollmentIds(tx: TenantTx, cadenceId: string, page: Page): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('id')
    .where('cadence_id', '=', cadenceId)
    .where('status', '=', sql.lit('active'))
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Active enrollments whose current step was removed. Paused ones leave it when they continue. */
export async function listEnrollmentIdsOnRemovedSteps(tx: TenantTx, cadenceId: string, page: Page): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select enrollment.id
    from marketing.cadence_steps step
    join marketing.cadence_enrollments enrollment on enrollment.current_step_id = step.id and enrollment.status = 'active'
    where step.cadence_id = ${cadenceId} and step.deleted_at is not null and enrollment.id > ${page.after}
    order by enrollment.id limit ${page.limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function countPaused(tx: TenantTx, cadenceId: string): Promise<number> {
  const { paused } = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select(({ fn }) => fn.countAll<number>().as('paused'))
    .where('cadence_id', '=', cadenceId)
    .where('status', '=', sql.lit('paused'))
    .executeTakeFirstOrThrow()
  return paused
}

export async function countWaitingBySteps(tx: TenantTx, cadenceId: string): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select(['current_step_id', ({ fn }) => fn.countAll<number>().as('waiting')])
    .where('cadence_id', '=', cadenceId)
    .where('status', 'in', [sql.lit('active'), sql.lit('paused')])
    .groupBy('current_step_id')
    .execute()
  return new Map(rows.flatMap(({ current_step_id, waiting }) => (current_step_id ? [[current_step_id, waiting]] : [])))
}
