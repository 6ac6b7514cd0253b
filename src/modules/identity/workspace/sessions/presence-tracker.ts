import { systemActor, type UserActor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { createFlusher } from '#platform/concurrency'
import { type Db, inTenant } from '#platform/db'
import { type LastSeen, type LastUse, markKeysUsed, markSessionsSeen, markUsersSeen } from './presence.queries.ts'

/** Buffers last-seen times in memory. A crash loses at most a minute of them. */
export type PresenceTracker = {
  record(actor: UserActor, options?: { isFirstUse?: boolean }): void
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMilliseconds = 10_000
/** The first use of an API key is written early, so that its creator sees that it works. */
const firstUseMilliseconds = 250
const minIntervalMilliseconds = 60_000

type PendingPresence = { sessions: Map<string, LastSeen>; users: Map<string, LastSeen>; keys: Map<string, LastUse> }

export function createPresenceTracker({ db, clock }: { db: Db; clock: Clock }): PresenceTracker {
  let pending = new Map<string, PendingPresence>()
  let lastWrittenAt = new Map<string, number>()
  const { flush, scheduleFlush } = createFlusher(writePending)
  const timer = setInterval(() => void flush(), flushMilliseconds).unref()

  function record(actor: UserActor, { isFirstUse = false } = {}): void {
    const id = actor.sessionId ?? actor.apiKeyId!
    const at = clock.now()
    if (at.getTime() - (lastWrittenAt.get(id) ?? 0) < minIntervalMilliseconds) return

    const tenant = pending.get(actor.tenantId) ?? { sessions: new Map(), users: new Map(), keys: new Map() }
    pending.set(actor.tenantId, tenant)
    if (actor.type === 'api_key') tenant.keys.set(id, { id, at, ip: actor.trace?.ip ?? '0.0.0.0' })
    else tenant.sessions.set(id, { id, at })
    if (actor.type === 'user') tenant.users.set(actor.userId, { id: actor.userId, at })
    if (isFirstUse) scheduleFlush(firstUseMilliseconds)
  }

  async function writePending(): Promise<void> {
    const taken = pending
    pending = new Map()
    evictOld()
    for (const [tenantId, tenant] of taken) {
      const isWritten = await writeTenant(db, tenantId, tenant).catch(() => false)
      if (isWritten)
        for (const { id, at } of [...tenant.sessions.values(), ...tenant.keys.values()])
          lastWrittenAt.set(id, at.getTime())
    }
  }

  function evictOld(): void {
    const now = clock.now().getTime()
    lastWrittenAt = new Map([...lastWrittenAt].filter(([, at]) => Math.abs(now - at) < minIntervalMilliseconds))
  }

  return {
    record,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

async function writeTenant(db: Db, tenantId: string, { sessions, users, keys }: PendingPresence): Promise<boolean> {
  await inTenant(db, systemActor(tenantId), async (tx) => {
    if (sessions.size) await markSessionsSeen(tx, [...sessions.values()])
    if (users.size) await markUsersSeen(tx, [...users.values()])
    if (keys.size) await markKeysUsed(tx, [...keys.values()])
  })
  return true
}
