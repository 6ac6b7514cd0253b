import { setTimeout as sleep } from 'node:timers/promises'
import { type SignedIn, systemIn } from '#platform/access'
import { type Action, type PreparedEntry, prepareEntry, recordPrepared } from '#platform/audit'
import type { Clock } from '#platform/clock'
import { type Db, inTenant } from '#platform/db'
import type { Witnessed } from '#platform/http'
import type { Log } from '#platform/telemetry'
import { seldom } from '../auth/seldom.ts'

/** Writes down what must not go unseen although nothing changed: a little later, many at once, and nothing is left out. */
export type Witness = {
  see(seen: Witnessed): void
  /** So much waits to be written down that nothing more should happen unseen. */
  isOverwhelmed(): boolean
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMilliseconds = 500
const maxWaiting = 10_000
const atOnce = 1_000
const lastTries = 5

type Options = { db: Db; clock: Clock; log: Log }

export function openWitness({ db, clock, log }: Options): Witness {
  let waiting: Noted[] = []
  let writing = 0
  let flushing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  const isDue = seldom({ clock, seconds: 60 })

  function see(seen: Witnessed): void {
    const action = actionOf(seen)
    if (!action || (action === 'admin.request' && !isDue(callOf(seen)))) return
    waiting.push({ tenantId: seen.actor.tenantId, entry: entryOf(action, seen) })
    flushSoon()
  }

  function flushSoon(): void {
    if (!isClosing) timer ??= setTimeout(() => void flush(), flushMilliseconds).unref()
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(writeDown)
    return flushing
  }

  async function writeDown(): Promise<void> {
    const taken = waiting
    waiting = []
    writing = taken.length
    for (const [tenantId, noted] of Map.groupBy(taken, (one) => one.tenantId)) {
      try {
        await writeTenant(db, tenantId, noted)
      } catch (err) {
        log.warn({ err, tenant_id: tenantId }, 'the audit trail could not be written; it is tried again')
        waiting.unshift(...noted)
      }
    }
    writing = 0
    if (waiting.length) flushSoon()
  }

  return {
    see,
    isOverwhelmed: () => waiting.length + writing >= maxWaiting,
    flush,
    async close() {
      isClosing = true
      await flush()
      for (let tries = 1; tries < lastTries && waiting.length; tries++) {
        await sleep(flushMilliseconds)
        await flush()
      }
      for (const { tenantId, entry } of waiting)
        log.error({ tenant_id: tenantId, ...told(entry) }, 'an audit entry was lost')
    },
  }
}

type Noted = { tenantId: string; entry: PreparedEntry }

/** An entry whose write nobody knows the end of is written again, and is there once. */
async function writeTenant(db: Db, tenantId: string, noted: readonly Noted[]): Promise<void> {
  for (let start = 0; start < noted.length; start += atOnce) {
    const entries = noted.slice(start, start + atOnce).map(({ entry }) => entry)
    await inTenant(db, systemIn(tenantId), (tx) => recordPrepared(tx, entries))
  }
}

/** Everything an admin does as somebody else, reading included; and of the others who tried what belongs to admins. */
function actionOf({ actor, route, status }: Witnessed): Action | undefined {
  if (!mustSee(actor, route)) return undefined
  if (actor.type === 'impersonation') return 'impersonation.request'
  return status === 403 ? 'admin.request' : undefined
}

export const mustSee = (actor: SignedIn, route: string): boolean =>
  actor.type === 'impersonation' || route.startsWith('/api/admin/')

const callOf = ({ actor, method, route }: Witnessed) =>
  [actor.tenantId, actor.apiKeyId ?? actor.userId, method, route].join(' ')

const entryOf = (action: Action, { actor, method, route, resourceId, status }: Witnessed) =>
  prepareEntry(actor, action, {
    id: resourceId,
    label: `${method} ${route}`,
    after: { method, route, status },
    outcome: status === 401 || status === 403 ? 'denied' : 'success',
  })

const told = ({ action, user_id, actor_user_id, session_id, request_id, resource_label }: PreparedEntry) => ({
  action,
  user_id,
  actor_user_id,
  session_id,
  request_id,
  resource_label,
})
