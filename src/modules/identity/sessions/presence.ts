import { type SignedIn, systemIn } from '#platform/access'
import type { Clock } from '#platform/clock'
import { type Db, inTenant } from '#platform/db'
import { markKeysUsed, markSessionsSeen, markUsersSeen, type Seen, type Used } from './presence.queries.ts'

/** Who was here, collected in memory and written down now and then: what is lost with the process is a minute of it. */
export type Presence = {
  note(actor: SignedIn, options?: { isFirstUse?: boolean }): void
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMilliseconds = 10_000
/** A key that was never used shows at once that it works. */
const firstUseMilliseconds = 250
const onceInMilliseconds = 60_000

type Notes = { sessions: Map<string, Seen>; users: Map<string, Seen>; keys: Map<string, Used> }

export function collectPresence({ db, clock }: { db: Db; clock: Clock }): Presence {
  let notes = new Map<string, Notes>()
  let writtenAt = new Map<string, number>()
  let flushing = Promise.resolve()
  const timer = setInterval(() => void flush(), flushMilliseconds).unref()
  let soon: NodeJS.Timeout | undefined

  function note(actor: SignedIn, { isFirstUse = false } = {}): void {
    const id = actor.sessionId ?? actor.apiKeyId!
    const at = clock.now()
    if (at.getTime() - (writtenAt.get(id) ?? 0) < onceInMilliseconds) return

    const tenant = notes.get(actor.tenantId) ?? { sessions: new Map(), users: new Map(), keys: new Map() }
    notes.set(actor.tenantId, tenant)
    if (actor.type === 'api_key') tenant.keys.set(id, { id, at, ip: actor.trace?.ip ?? '0.0.0.0' })
    else tenant.sessions.set(id, { id, at })
    if (actor.type === 'user') tenant.users.set(actor.userId, { id: actor.userId, at })
    if (isFirstUse) soon ??= setTimeout(() => void flush(), firstUseMilliseconds).unref()
  }

  function flush(): Promise<void> {
    clearTimeout(soon)
    soon = undefined
    flushing = flushing.then(writeDown)
    return flushing
  }

  async function writeDown(): Promise<void> {
    const collected = notes
    notes = new Map()
    forgetOld()
    for (const [tenantId, tenant] of collected) {
      const isWritten = await writeTenant(db, tenantId, tenant).catch(() => false)
      if (isWritten)
        for (const { id, at } of [...tenant.sessions.values(), ...tenant.keys.values()]) writtenAt.set(id, at.getTime())
    }
  }

  function forgetOld(): void {
    const now = clock.now().getTime()
    writtenAt = new Map([...writtenAt].filter(([, at]) => Math.abs(now - at) < onceInMilliseconds))
  }

  return {
    note,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

async function writeTenant(db: Db, tenantId: string, { sessions, users, keys }: Notes): Promise<boolean> {
  await inTenant(db, systemIn(tenantId), async (tx) => {
    if (sessions.size) await markSessionsSeen(tx, [...sessions.values()])
    if (users.size) await markUsersSeen(tx, [...users.values()])
    if (keys.size) await markKeysUsed(tx, [...keys.values()])
  })
  return true
}
