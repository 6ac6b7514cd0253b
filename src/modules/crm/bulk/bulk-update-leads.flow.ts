import type { UserActor } from '#platform/access'
import { inTenant, retryOnContention, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { startBulkTask } from './bulk.jobs.ts'
import type { BulkLeadsRequest, BulkLeadsResponse, LeadOutcome } from './bulk.schemas.ts'
import { applyToChunk, type BulkRun, chunkSize } from './bulk-chunk.service.ts'
import { resolveBulkAction, selectLeadIds } from './bulk-selection.service.ts'

/** Runs in the transaction of the request, which also stores the idempotent response. */
type RequestTransaction = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

const maxInline = 200
const retryTimeoutMs = 15_000

/** Applies an action to many leads: up to 200 in the request, chunk by chunk, more in a task. */
export async function bulkUpdateLeads(
  services: Pick<Services, 'db' | 'clock' | 'registry'>,
  actor: UserActor,
  request: BulkLeadsRequest,
  inRequestTransaction: RequestTransaction,
): Promise<BulkLeadsResponse> {
  const { db, clock } = services
  const { ids, action, params } = await inTenant(db, actor, async (tx) => ({
    ...(await resolveBulkAction(tx, actor, request, services)),
    ids: await selectLeadIds(tx, actor, request, services),
  }))
  if (ids.length > maxInline)
    return await inRequestTransaction(async (tx) => ({
      ...(await startBulkTask(tx, actor, { action: request.action, params, lead_ids: ids })),
      total: ids.length,
    }))

  const run: BulkRun = { action, params, actor, now: clock.now() }
  const signal = AbortSignal.timeout(retryTimeoutMs)
  const results: LeadOutcome[] = []
  const lastStart = Math.max(0, Math.ceil(ids.length / chunkSize) - 1) * chunkSize
  for (let start = 0; start < lastStart; start += chunkSize) {
    const chunk = ids.slice(start, start + chunkSize)
    results.push(...(await retryOnContention(() => inTenant(db, actor, (tx) => applyToChunk(tx, chunk, run)), signal)))
  }
  // The response is stored with the last chunk. A retry after a crash reports the earlier chunks as unchanged.
  const lastChunk = ids.slice(lastStart)
  const finish = () =>
    inRequestTransaction(async (tx) => toResponse(request, [...results, ...(await applyToChunk(tx, lastChunk, run))]))
  return await retryOnContention(finish, signal)
}

function toResponse({ action }: BulkLeadsRequest, results: LeadOutcome[]): BulkLeadsResponse {
  const count = (outcome: LeadOutcome['outcome']) => results.filter((result) => result.outcome === outcome).length
  const counts = { succeeded: count('ok'), unchanged: count('unchanged'), failed: count('failed') }
  return { action, total: results.length, ...counts, results }
}
