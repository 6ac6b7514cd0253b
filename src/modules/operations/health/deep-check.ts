import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { type Db, outsideTenant } from '#platform/db'
import { askDatabase } from './health.queries.ts'
import { worstOf } from './health.rules.ts'
import type { Check, DeepHealth } from './health.schemas.ts'

type Probed = { db: Db; cache: Cache; clock: Clock }

const answerWithinMs = 1_000
const sharedForMs = 2_000

/** However many ask, the database and the cache are asked once in two seconds. */
export function openDeepCheck(probed: Probed): () => Promise<DeepHealth> {
  let latest: Promise<DeepHealth> | undefined
  let startedAtMs = 0

  return () => {
    if (!latest || performance.now() - startedAtMs >= sharedForMs) {
      startedAtMs = performance.now()
      latest = checkDeeply(probed)
    }
    return latest
  }
}

async function checkDeeply({ db, cache, clock }: Probed): Promise<DeepHealth> {
  const [database, cached] = await Promise.all([
    timed(() => outsideTenant(db, askDatabase)),
    cache.status() === 'disabled' ? off : timed(() => answerOf(cache)),
  ])
  const checks = { database, cache: cached }
  return { status: worstOf(checks), checked_at: clock.now(), checks }
}

const off: Check = { status: 'disabled', latency_ms: null }

async function answerOf(cache: Cache): Promise<void> {
  if ((await cache.ping()) === undefined) throw new Error('The cache does not answer.')
}

/** Why it is down is for the log of whoever uses it, not for the public. */
async function timed(ask: () => Promise<unknown>): Promise<Check> {
  const start = performance.now()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('No answer in time.')), answerWithinMs)
  try {
    await Promise.race([ask(), late.promise])
    return { status: 'ok', latency_ms: Math.round((performance.now() - start) * 10) / 10 }
  } catch {
    return { status: 'down', latency_ms: null }
  } finally {
    clearTimeout(timer)
  }
}
