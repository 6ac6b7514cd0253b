import type { TenantTx } from '#platform/db'
import { correctRollups, deleteEmptyRollups, foldDeltas, lockRollups } from './rollups.queries.ts'

const maxFolded = 10_000

export async function foldLeadDeltas(tx: TenantTx): Promise<boolean> {
  await lockRollups(tx)
  const { folded, days } = await foldDeltas(tx, maxFolded)
  if (days.length) await deleteEmptyRollups(tx, days)
  return folded === maxFolded
}

export async function recountRollups(tx: TenantTx, days: readonly string[]): Promise<number> {
  await lockRollups(tx)
  const corrected = await correctRollups(tx, days)
  if (corrected) await deleteEmptyRollups(tx, days)
  return corrected
}
