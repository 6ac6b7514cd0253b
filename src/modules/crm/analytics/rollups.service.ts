import type { TenantTx } from '#platform/db'
import { correctRollups, deleteEmptyRollups, foldDeltas, lockRollups } from './rollups.queries.ts'

const maxFolded = 10_000

/** Moves deltas into the rollups. Returns whether there may be more. */
export async function foldLeadDeltas(tx: TenantTx): Promise<boolean> {
  await lockRollups(tx)
  const { folded, days } = await foldDeltas(tx, maxFolded)
  if (days.length) await deleteEmptyRollups(tx, days)
  return folded === maxFolded
}

/** Counts the leads of some days and corrects rollups that differ. Returns the number of corrected rollups. */
export async function recountRollups(tx: TenantTx, days: readonly string[]): Promise<number> {
  await lockRollups(tx)
  const corrected = await correctRollups(tx, days)
  if (corrected) await deleteEmptyRollups(tx, days)
  return corrected
}
