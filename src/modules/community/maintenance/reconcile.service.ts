import type { TenantTx } from '#platform/db'
import {
  type CounterDrift,
  clearInvisibleAnswers,
  correctCounters,
  listDrift,
  lockThreadRows,
} from './reconcile.queries.ts'

/** Threads without a difference are not locked. */
export async function reconcileThreads(tx: TenantTx, ids: readonly string[]): Promise<CounterDrift[]> {
  const suspects = await listDrift(tx, ids)
  if (!suspects.length) return []
  await lockThreadRows(tx, suspects)
  return await recountThreads(tx, suspects)
}

/** Returns the threads that were wrong. The caller has locked the threads. */
export async function recountThreads(tx: TenantTx, ids: readonly string[]): Promise<CounterDrift[]> {
  const corrected = await correctCounters(tx, ids)
  await clearInvisibleAnswers(tx, ids)
  return corrected
}
