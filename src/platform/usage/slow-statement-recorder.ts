import { type Actor, systemActor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { createFlusher } from '#platform/concurrency'
import { type Db, inTenant, onSlowStatement, type SlowStatement } from '#platform/db'
import { newId } from '#platform/ids'
import { insertSlowStatements, type SlowStatementSample } from './slow-statements.queries.ts'

const flushMilliseconds = 1_000
/** Samples kept per workspace between two writes, so that a slow database is not slowed down further. */
const maxPending = 20

/** Stores samples of slow statements shortly after they ran. */
export function recordSlowStatements({ db, clock, minMs }: { db: Db; clock: Clock; minMs: number }) {
  let pending = new Map<string, SlowStatementSample[]>()
  const { flush, scheduleFlush } = createFlusher(writePending)
  if (minMs > 0) onSlowStatement(db, minMs, record)

  function record({ tenantId, trace }: Actor, { operation, durationMs, rows }: SlowStatement): void {
    if (operation.endsWith('platform.slow_statements')) return
    const samples = pending.get(tenantId) ?? []
    pending.set(tenantId, samples)
    if (samples.length >= maxPending) return
    const request_id = trace?.requestId ?? null
    samples.push({ id: newId(), operation, duration_ms: durationMs, rows, request_id, occurred_at: clock.now() })
    scheduleFlush(flushMilliseconds)
  }

  async function writePending(): Promise<void> {
    const taken = pending
    pending = new Map()
    for (const [tenantId, samples] of taken)
      await inTenant(db, systemActor(tenantId), (tx) => insertSlowStatements(tx, samples)).catch(() => {})
  }

  return { flush, close: flush }
}
