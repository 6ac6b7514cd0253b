import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

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
