import type { SignedIn } from '#platform/access'
import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { type Db, inTenant, isDatabaseAway, poolUsage } from '#platform/db'
import { queueStats, queueStatsOf, scheduleStates, workersAlive } from '#platform/jobs'
import { readOutboxBacklog, readServerLoad } from './health-audit.queries.ts'
import { findingsIn, platformStatus, unreadable, worstOf } from './health-audit.rules.ts'
import type { Finding, HealthAudit, HealthFigures } from './health-audit.schemas.ts'

export type AuditServices = { db: Db; cache: Cache; clock: Clock }

/** Each part is read on its own: one that fails becomes a finding, and the others are told all the same. */
export async function auditHealth(services: AuditServices, actor: SignedIn): Promise<HealthAudit> {
  const { db, cache, clock } = services
  const unread: Finding[] = []
  const part = <T>(name: string, reading: Promise<T>, otherwise: T): Promise<T> =>
    reading.catch((error) => {
      if (isDatabaseAway(error)) throw error
      unread.push(unreadable(name))
      return otherwise
    })

  const [queues, queues_platform, outbox, database, cached, schedules] = await Promise.all([
    part('the queues', queueStatsOf(actor.tenantId), []),
    part('the platform', readPlatform(), { status: 'ok', oldest_ready_age_seconds: null, workers_alive: 1 }),
    part('the outbox', inTenant(db, actor, readOutboxBacklog), emptyOutbox),
    part('the database', readDatabase(db, actor), { ...unknownLoad, pool: poolUsage(db) }),
    readCache(cache),
    part('the schedules', scheduleStates(clock.now()), []),
  ])
  const figures = { queues, queues_platform, outbox, webhooks: noWebhooks, cache: cached, database, schedules }
  const findings = [...findingsIn(figures), ...unread]
  return { status: worstOf(findings), as_of: clock.now(), ...figures, findings }
}

const emptyOutbox = { pending: 0, oldest_pending_age_seconds: null, published_1h: 0 }
const noWebhooks = { endpoints: 0, failing: 0, pending: 0, oldest_pending_age_seconds: null }
const unknownLoad = {
  server: { used: 0, max: 0, usage_rate: 0 },
  replication_lag_seconds: null,
  oldest_transaction_seconds: null,
}

async function readPlatform(): Promise<HealthFigures['queues_platform']> {
  const [stats, workers_alive] = await Promise.all([queueStats(), workersAlive()])
  const ages = stats.map(({ oldest_ready_age_seconds: age }) => age).filter((age) => age !== null)
  const oldest_ready_age_seconds = ages.length ? Math.max(...ages) : null
  return { status: platformStatus(oldest_ready_age_seconds, workers_alive), oldest_ready_age_seconds, workers_alive }
}

async function readDatabase(db: Db, actor: SignedIn): Promise<HealthFigures['database']> {
  const { used, max, ...ages } = await inTenant(db, actor, readServerLoad)
  return { pool: poolUsage(db), server: { used, max, usage_rate: Math.round((used / max) * 1_000) / 1_000 }, ...ages }
}

async function readCache(cache: Cache): Promise<HealthFigures['cache']> {
  if (cache.status() === 'disabled') return { status: 'disabled', latency_ms: null, hit_rate_1h: cache.hitRate() }
  const latency = await cache.ping()
  return {
    status: latency === undefined ? 'down' : 'ok',
    latency_ms: latency === undefined ? null : Math.round(latency * 10) / 10,
    hit_rate_1h: cache.hitRate(),
  }
}
