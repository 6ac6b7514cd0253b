import type { TenantTx } from '#platform/db'
import { clearMarks, countDays, holdRollups, removeRollups } from './rollups.queries.ts'

/**
 * Counts some days anew. Marks go first and the leads are counted after that: whatever left a mark that is gone is counted, and
 * whatever commits later leaves a mark of its own.
 */
export async function recountDays(tx: TenantTx, days: readonly string[]): Promise<void> {
  await holdRollups(tx)
  await clearMarks(tx, days)
  await removeRollups(tx, days)
  await countDays(tx, days)
}
