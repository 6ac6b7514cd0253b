import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { type Db, outsideTenant } from '#platform/db'
import { pingDatabase } from './health.queries.ts'
import { deriveDeepStatus } from './health.rules.ts'
import type { Check, DeepHealth } from './health.schemas.ts'

type CheckedServices = { db: Db; cache: Cache; clock: Clock }

const timeoutMs = 1_000
const sharedForMs = 2_000

/** Shares one check between all callers for two seconds, so that public requests cannot overload the database. */
export function createDeepHealthCheck(services: CheckedServices): () => Promise<DeepHealth> {
  let latest: Promise<DeepHealth> | undefined
  let startedAtMs = 0

  return () => {
    if (!latest || performance.now() - startedAtMs >= sharedForMs) {
      startedAtMs = performance.now()
      latest = checkServices(services)
    }
    return latest
  }
}

async function checkServices({ db, cache, clock }: CheckedServices): Promise<DeepHealth> {
  const [databaseCheck, cacheCheck] = await Promise.all([
    runCheck(() => outsideTenant(db, pingDatabase)),
    cache.status() === 'disabled' ? disabledCheck : runCheck(() => pingCache(cache)),
  ])
  const checks = { database: databaseCheck, cache: cacheCheck }
  return { status: deriveDeepStatus(checks), checked_at: clock.now(), checks }
}

const disabledCheck: Check = { status: 'disabled', latency_ms: null }

async function pingCache(cache: Cache): Promise<void> {
  if ((await cache.ping()) === undefined) throw new Error('The cache does not respond.')
}

/** Hides the cause of a failure, because the endpoint is public. */
async function runCheck(check: () => Promise<unknown>): Promise<Check> {
  const start = performance.now()
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('The check timed out.')), timeoutMs)
  try {
    await Promise.race([check(), timeout.promise])
    return { status: 'ok', latency_ms: Math.round((performance.now() - start) * 10) / 10 }
  } catch {
    return { status: 'down', latency_ms: null }
  } finally {
    clearTimeout(timer)
  }
}
