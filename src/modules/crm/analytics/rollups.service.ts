import type { TenantTx } from '#platform/db'
import { deleteDirtyDayRows, deleteRollupRows, insertRollups, lockRollups } from './rollups.queries.ts'

/** Rebuilds the rollups of some days. Dirty marks are deleted before counting: a change that commits later leaves its own mark. */
export async function rebuildRollups(tx: TenantTx, days: readonly string[]): Promise<void> {
  await lockRollups(tx)
  await deleteDirtyDayRows(tx, days)
  await deleteRollupRows(tx, days)
  await insertRollups(tx, days)
}
