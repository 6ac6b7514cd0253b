import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { type AuditAction, insertAuditEntries, type PreparedAuditEntry, prepareAuditEntry } from '#platform/audit'
import type { Clock } from '#platform/clock'
import { createFlusher } from '#platform/concurrency'
import { type Db, inTenant } from '#platform/db'
import type { RequestOutcome } from '#platform/http'
import type { Log } from '#platform/telemetry'
import { allowOncePerInterval } from './auth-caches.ts'
import { requiresAudit } from './request-auth.rules.ts'

/** Audits read-only requests that must be logged (impersonation, denied admin access), in batches. */
export type RequestAuditor = {
  record(request: RequestOutcome): void
  /** True if the buffer is full, so that no further impersonation request may be accepted. */
  isFull(): boolean
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMilliseconds = 500
const maxPending = 10_000
const batchSize = 1_000
const maxFinalAttempts = 5

type Options = { db: Db; clock: Clock; log: Log }

export function createRequestAuditor({ db, clock, log }: Options): RequestAuditor {
  let pending: PendingEntry[] = []
  let writingCount = 0
  let isClosing = false
  const { flush, scheduleFlush } = createFlusher(writePending)
  const isAuditDue = allowOncePerInterval({ clock, seconds: 60 })

  function record(request: RequestOutcome): void {
    const action = actionOf(request)
    if (!action || (action === 'admin.request' && !isAuditDue(requestKeyOf(request)))) return
    pending.push({ tenantId: request.actor.tenantId, entry: entryOf(action, request) })
    flushSoon()
  }

  function flushSoon(): void {
    if (!isClosing) scheduleFlush(flushMilliseconds)
  }

  async function writePending(): Promise<void> {
    const batch = pending
    pending = []
    writingCount = batch.length
    for (const [tenantId, pendingEntries] of Map.groupBy(batch, (item) => item.tenantId)) {
      try {
        await writeTenant(db, tenantId, pendingEntries)
      } catch (err) {
        log.warn({ err, tenant_id: tenantId }, 'writing audit entries failed; retrying')
        pending.unshift(...pendingEntries)
      }
    }
    writingCount = 0
    if (pending.length) flushSoon()
  }

  return {
    record,
    isFull: () => pending.length + writingCount >= maxPending,
    flush,
    async close() {
      isClosing = true
      await flush()
      for (let attempt = 1; attempt < maxFinalAttempts && pending.length; attempt++) {
        await sleep(flushMilliseconds)
        await flush()
      }
      for (const { tenantId, entry } of pending)
        log.error({ tenant_id: tenantId, ...logFieldsOf(entry) }, 'audit entry lost')
    },
  }
}

type PendingEntry = { tenantId: string; entry: PreparedAuditEntry }

/** Idempotent: an entry whose write may have succeeded is written again but stored once. */
async function writeTenant(db: Db, tenantId: string, pendingEntries: readonly PendingEntry[]): Promise<void> {
  for (let start = 0; start < pendingEntries.length; start += batchSize) {
    const entries = pendingEntries.slice(start, start + batchSize).map(({ entry }) => entry)
    await inTenant(db, systemActor(tenantId), (tx) => insertAuditEntries(tx, entries))
  }
}

function actionOf({ actor, route, status }: RequestOutcome): AuditAction | undefined {
  if (!requiresAudit(actor, route)) return undefined
  if (actor.type === 'impersonation') return 'impersonation.request'
  return status === 403 ? 'admin.request' : undefined
}

const requestKeyOf = ({ actor, method, route }: RequestOutcome) =>
  [actor.tenantId, actor.apiKeyId ?? actor.userId, method, route].join(' ')

const entryOf = (action: AuditAction, { actor, method, route, resourceId, status }: RequestOutcome) =>
  prepareAuditEntry(actor, action, {
    id: resourceId,
    label: `${method} ${route}`,
    after: { method, route, status },
    outcome: status === 401 || status === 403 ? 'denied' : 'success',
  })

const logFieldsOf = ({
  action,
  user_id,
  actor_user_id,
  session_id,
  request_id,
  resource_label,
}: PreparedAuditEntry) => ({
  action,
  user_id,
  actor_user_id,
  session_id,
  request_id,
  resource_label,
})
