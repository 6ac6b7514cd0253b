import type { SignedIn } from '#platform/access'
import { inTenant, retryWhileBusy, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { startBulkTask } from './bulk.jobs.ts'
import type { BulkAnswer, BulkOrder, LeadOutcome } from './bulk.schemas.ts'
import { type Bulk, changeChunk, chunkSize } from './bulk-chunk.service.ts'
import { requireAction, selectLeads } from './bulk-selection.service.ts'

/** Opens the transaction of the request, which keeps the answer. */
type Opening = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

/** As many leads as people wait for. */
const mostInline = 200
/** How long somebody else at work on the leads is waited for, again and again. */
const patienceMs = 15_000

/** Does one thing to many leads: to a few at once, chunk by chunk, to more of them by a task. */
export async function changeLeads(
  services: Pick<Services, 'db' | 'clock' | 'registry'>,
  actor: SignedIn,
  order: BulkOrder,
  open: Opening,
): Promise<BulkAnswer> {
  const { db, clock } = services
  const { ids, action, params } = await inTenant(db, actor, async (tx) => ({
    ...(await requireAction(tx, actor, order, services)),
    ids: await selectLeads(tx, actor, order, services),
  }))
  if (ids.length > mostInline)
    return await open(async (tx) => ({
      ...(await startBulkTask(tx, actor, { action: order.action, params, lead_ids: ids })),
      total: ids.length,
    }))

  const bulk: Bulk = { action, params, actor, now: clock.now() }
  const signal = AbortSignal.timeout(patienceMs)
  const results: LeadOutcome[] = []
  const lastStart = Math.max(0, Math.ceil(ids.length / chunkSize) - 1) * chunkSize
  for (let start = 0; start < lastStart; start += chunkSize) {
    const chunk = ids.slice(start, start + chunkSize)
    results.push(...(await retryWhileBusy(() => inTenant(db, actor, (tx) => changeChunk(tx, chunk, bulk)), signal)))
  }
  // The answer is kept with the last chunk. Whoever repeats a request that died before finds the others unchanged.
  const lastOnes = ids.slice(lastStart)
  const finish = () => open(async (tx) => summary(order, [...results, ...(await changeChunk(tx, lastOnes, bulk))]))
  return await retryWhileBusy(finish, signal)
}

function summary({ action }: BulkOrder, results: LeadOutcome[]): BulkAnswer {
  const count = (outcome: LeadOutcome['outcome']) => results.filter((result) => result.outcome === outcome).length
  const counts = { succeeded: count('ok'), unchanged: count('unchanged'), failed: count('failed') }
  return { action, total: results.length, ...counts, results }
}
