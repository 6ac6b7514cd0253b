import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Claimed runs without an open task, the oldest first. */
export async function listClaimedEmailRuns(tx: TenantTx, claimedBefore: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_step_runs')
    .select('id')
    .where('state', '=', sql.lit('claimed'))
    .where('claimed_at', '<', claimedBefore)
    .where('task_user_id', 'is', null)
    .orderBy('claimed_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
