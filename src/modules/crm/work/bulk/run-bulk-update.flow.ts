import type { UserActor } from '#platform/access'
import { inTenant, retryOnContention } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { runInlineOrTask } from '#platform/tasks'
import { applyToRecords, type BulkRun } from './apply-to-records.service.ts'
import { startBulkTask } from './bulk.jobs.ts'
import type { RecordOutcome } from './bulk.rules.ts'
import type { BulkKind, BulkRequest } from './bulk-kind.ts'
import { resolveBulkAction, selectIds } from './bulk-selection.service.ts'

const retryTimeoutMs = 15_000

type BulkServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>

/** Applies an action to up to 200 records in one transaction with the idempotent response, so that a retry is safe; to more in a task. */
export async function runBulkUpdate(
  kind: BulkKind,
  services: BulkServices,
  actor: UserActor,
  request: BulkRequest,
  inRequestTransaction: RequestTransaction,
) {
  const { db, clock } = services
  const { ids, action, params } = await inTenant(db, actor, async (tx) => ({
    ...(await resolveBulkAction(tx, kind, actor, request, services)),
    ids: await selectIds(tx, kind, actor, request, services),
  }))
  const run: BulkRun = { kind, action, params, actor, now: clock.now(), requestKey: newId(), offset: 0, services }
  const applyToAll = () =>
    inRequestTransaction(async (tx) => toResponse(kind, request, await applyToRecords(tx, ids, run)))
  return await runInlineOrTask(ids.length, {
    runInline: () => retryOnContention(applyToAll, AbortSignal.timeout(retryTimeoutMs)),
    startTask: () =>
      inRequestTransaction(async (tx) => ({
        ...(await startBulkTask(tx, kind, actor, { action, params, ids })),
        total: ids.length,
      })),
  })
}

function toResponse({ idField }: BulkKind, { action }: BulkRequest, outcomes: readonly RecordOutcome[]) {
  const count = (outcome: RecordOutcome['outcome']) => outcomes.filter((one) => one.outcome === outcome).length
  const counts = { succeeded: count('ok'), unchanged: count('unchanged'), failed: count('failed') }
  const results = outcomes.map(({ id, ...outcome }) => ({ [idField]: id, ...outcome }))
  return { action, total: results.length, ...counts, results }
}
