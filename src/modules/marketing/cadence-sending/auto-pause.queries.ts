import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type CadenceRow, cadenceColumns } from '../cadence-records/cadences.queries.ts'

/** Emails have a place under the daily limits, tasks have none. */
export async function countRecentEmails(
  tx: TenantTx,
  cadenceId: string,
  since: Date,
): Promise<{ sent: number; bounced: number }> {
  const { rows } = await sql<{ sent: number; bounced: number }>`
    select count(*)::integer as sent, count(bounced_at)::integer as bounced from marketing.cadence_step_runs
    where cadence_id = ${cadenceId} and done_at > ${since} and state = 'done' and reserved_on is not null
  `.execute(tx)
  return rows[0]!
}

export async function pauseCadenceRow(tx: TenantTx, id: string): Promise<CadenceRow> {
  const row = await tx
    .updateTable('marketing.cadences')
    .set({ status: 'paused', paused_reason: 'bounces' })
    .where('id', '=', id)
    .returning(cadenceColumns)
    .executeTakeFirstOrThrow()
  return row as unknown as CadenceRow
}
