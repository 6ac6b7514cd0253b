import type { TenantTx } from '#platform/db'
import { abandonNextGeneration, lockRebuildState } from '../rebuild/rebuild.queries.ts'
import { deleteEventsBefore, savePurgedUntil } from './purge-events.queries.ts'

type Purge = { before: Date; now: Date }

/** Deletes a batch of events. Those that a running rebuild still has to count stay until the next night. */
export async function purgeEvents(tx: TenantTx, { before, now }: Purge, limit: number): Promise<number> {
  const state = await lockRebuildState(tx)
  if (!state) return 0
  if (state.next_generation !== null) {
    if (!state.rebuild_failed) return 0
    await abandonNextGeneration(tx, now)
  }
  const deleted = await deleteEventsBefore(tx, before, limit)
  if (deleted && !(state.purged_until && state.purged_until >= before)) await savePurgedUntil(tx, before)
  return deleted
}
