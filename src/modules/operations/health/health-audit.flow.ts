import type { UserActor } from '#platform/access'
import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { type Db, inTenant, isDatabaseUnavailable, poolUsage } from '#platform/db'
import { countLiveWorkers, getQueueStats, getTenantQueueStats, type JobQueue, listScheduleStates } from '#platform/jobs'
import { readWebhookHealth } from '../webhook-deliveries/webhook-deliveries.queries.ts'
import { readOutboxBacklog, readServerLoad } from './health.queries.ts'
import { deriveFindings, platformStatus, unreadableFinding, worstSeverity } from './health-audit.rules.ts'
import type { Finding, HealthAudit, HealthMetrics } from './health-audit.schemas.ts'

export type HealthAuditServices = { db: Db; jobQueue: JobQueue; cache: Cache; clock: Clock }

/** Reads every part separately: a part that cannot be read becomes a finding and does not fail the audit. */
export async function getHealthAudit(services: HealthAuditServices, actor: UserActor): Promise<HealthAudit> {
  const { db, jobQueue, cache, clock } = services
  const unreadable: Finding[] = []
  const readPart = <T>(name: string, reading: Promise<T>, fallback: T): Promise<T> =>
    reading.catch((error) => {
      if (isDatabaseUnavailable(error)) throw error
      unreadable.push(unreadableFinding(name))
      return fallback
    })

  const [queues, queues_platform, outbox, webhooks, database, cacheMetrics, schedules] = await Promise.all([
    readPart('queues', getTenantQueueStats(jobQueue, actor.tenantId), []),
    readPart('platform', readPlatform(jobQueue), { status: 'ok', oldest_ready_age_seconds: null, workers_alive: 1 }),
    readPart('outbox', inTenant(db, actor, readOutboxBacklog), emptyOutbox),
    readPart('webhooks', inTenant(db, actor, readWebhookHealth), noWebhooks),
    readPart('database', readDatabase(db, actor), { ...unknownLoad, pool: poolUsage(db) }),
    readCache(cache),
    readPart('schedules', listScheduleStates(jobQueue, clock.now()), []),
  ])
  const metrics = { queues, queues_platform, outbox, webhooks, cache: cacheMetrics, database, schedules }
  const findings = [...deriveFindings(metrics), ...unreadable]
  return { status: worstSeverity(findings), as_of: clock.now(), ...metrics, findings }
}

const emptyOutbox = { pending: 0, oldest_pending_age_seconds: null, published_1h: 0 }
const noWebhooks = { endpoints: 0, failing: 0, pending: 0, oldest_pending_age_seconds: null }
const unknownLoad = {
  server: { used: 0, max: 0, usage_rate: 0 },
  replication_lag_seconds: null,
  oldest_transaction_seconds: null,
}

async function readPlatform(jobQueue: JobQueue): Promise<HealthMetrics['queues_platform']> {
  const [stats, workers_alive] = await Promise.all([getQueueStats(jobQueue), countLiveWorkers(jobQueue)])
  const ages = stats.map(({ oldest_ready_age_seconds: age }) => age).filter((age) => age !== null)
  const oldest_ready_age_seconds = ages.length ? Math.max(...ages) : null
  return { status: platformStatus(oldest_ready_age_seconds, workers_alive), oldest_ready_age_seconds, workers_alive }
}

async function readDatabase(db: Db, actor: UserActor): Promise<HealthMetrics['database']> {
  const { used, max, ...ages } = await inTenant(db, actor, readServerLoad)
  return { pool: poolUsage(db), server: { used, max, usage_rate: Math.round((used / max) * 1_000) / 1_000 }, ...ages }
}

async function readCache(cache: Cache): Promise<HealthMetrics['cache']> {
  if (cache.status() === 'disabled') return { status: 'disabled', latency_ms: null, hit_rate_1h: cache.hitRate() }
  const latency = await cache.ping()
  return {
    status: latency === undefined ? 'down' : 'ok',
    latency_ms: latency === undefined ? null : Math.round(latency * 10) / 10,
    hit_rate_1h: cache.hitRate(),
  }
}
