import type { UserActor } from '#platform/access'
import { inTenant, retryOnContention } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { runInlineOrTask } from '#platform/tasks'
import { applyToLeads, type BulkRun } from './apply-to-leads.service.ts'
import { startBulkTask } from './bulk.jobs.ts'
import type { BulkLeadsRequest, BulkLeadsResponse, LeadOutcome } from './bulk.schemas.ts'
import { resolveBulkAction, selectLeadIds } from './bulk-selection.service.ts'

const retryTimeoutMs = 15_000

/** Applies an action to up to 200 leads in one transaction with the idempotent response, so that a retry is safe; to more in a task. */
export async function bulkUpdateLeads(
  services: Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>,
  actor: UserActor,
  request: BulkLeadsRequest,
  inRequestTransaction: RequestTransaction,
): Promise<BulkLeadsResponse> {
  const { db, clock } = services
  const { ids, action, params } = await inTenant(db, actor, async (tx) => ({
    ...(await resolveBulkAction(tx, actor, request, services)),
    ids: await selectLeadIds(tx, actor, request, services),
  }))
  const run: BulkRun = { action, params, actor, now: clock.now(), requestKey: newId(), services }
  const applyToAll = () => inRequestTransaction(async (tx) => toResponse(request, await applyToLeads(tx, ids, run)))
  return await runInlineOrTask(ids.length, {
    runInline: () => retryOnContention(applyToAll, AbortSignal.timeout(retryTimeoutMs)),
    startTask: () =>
      inRequestTransaction(async (tx) => ({
        ...(await startBulkTask(tx, actor, { action, params, lead_ids: ids })),
        total: ids.length,
      })),
  })
}

function toResponse({ action }: BulkLeadsRequest, results: LeadOutcome[]): BulkLeadsResponse {
  const count = (outcome: LeadOutcome['outcome']) => results.filter((result) => result.outcome === outcome).length
  const counts = { succeeded: count('ok'), unchanged: count('unchanged'), failed: count('failed') }
  return { action, total: results.length, ...counts, results }
}
