import { systemActor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { createFlusher } from '#platform/concurrency'
import { type Db, inTenant } from '#platform/db'
import { addUsage, type HourlyUsage, type UsageKind } from './usage.queries.ts'

/** Counts in memory what workspaces use. A crash loses at most a minute. */
export type UsageCounter = {
  count(tenantId: string, kind: UsageKind, by?: number): void
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMilliseconds = 60_000
const hourMilliseconds = 3_600_000

export function createUsageCounter({ db, clock }: { db: Db; clock: Clock }): UsageCounter {
  let pending = new Map<string, Map<number, HourlyUsage>>()
  const { flush } = createFlusher(writePending)
  const timer = setInterval(() => void flush(), flushMilliseconds).unref()

  function count(tenantId: string, kind: UsageKind, by = 1): void {
    const hours = pending.get(tenantId) ?? new Map<number, HourlyUsage>()
    pending.set(tenantId, hours)
    const hour = Math.floor(clock.now().getTime() / hourMilliseconds) * hourMilliseconds
    const usage = hours.get(hour) ?? emptyUsage(new Date(hour))
    hours.set(hour, usage)
    usage[kind] += by
  }

  async function writePending(): Promise<void> {
    const taken = pending
    pending = new Map()
    for (const [tenantId, hours] of taken) {
      const write = inTenant(db, systemActor(tenantId), (tx) => addUsage(tx, [...hours.values()]))
      // Counts are for statistics only: a workspace that was purged or a lost connection must not stop the others.
      await write.catch(() => {})
    }
  }

  return {
    count,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const emptyUsage = (hour: Date): HourlyUsage => ({
  hour,
  api_requests: 0,
  api_errors: 0,
  emails_sent: 0,
  ai_tokens: 0,
  jobs_succeeded: 0,
  jobs_failed: 0,
})
