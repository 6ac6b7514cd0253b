import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { defineJob, enqueue } from '#platform/jobs'
import { startRedis, startTestApp, waitForValue } from '#testing'
import { deriveFindings, platformStatus, worstSeverity } from './health-audit.rules.ts'
import type { Finding, HealthMetrics } from './health-audit.schemas.ts'

const redis = await startRedis()
const { tenant, services, owner, startTestWorker } = await startTestApp({ REDIS_URL: redis.url })
const idleJob = defineJob('test.idle', 'bulk', Type.Object({}))

async function enqueueAgedJob(tenantId: string, ageMinutes: number) {
  await inTenant(services.db, systemActor(tenantId), (tx) => enqueue(tx, idleJob, {}))
  await owner.query(
    `update pgboss.job_common
     set created_on = now() - $2 * interval '1 minute', start_after = now() - $2 * interval '1 minute'
     where group_id = $1 and data ->> 'job' = 'test.idle'`,
    [tenantId, ageMinutes],
  )
}
const codesIn = (findings: Finding[]) => findings.map(({ code, severity }) => `${code} ${severity}`)

test('identity-9-5 only admins and their API keys with admin.read can get the audit', async () => {
  const acme = await tenant()
  await waitForValue(
    () => acme.admin.get('/api/health/audit'),
    ({ status }) => status !== 503,
  )
  const { body: created } = await acme.admin.post('/api/api-keys', { name: 'Watch', scopes: ['admin.read'] })
  const key = acme.bearer(`ApiKey ${created.key}`)

  const responses = await Promise.all(
    [acme.anonymous, acme.manager, acme.admin, key].map((caller) => caller.get('/api/health/audit')),
  )

  assert.deepEqual(
    responses.map(({ status }) => status),
    [401, 403, 200, 200],
  )
  assert.deepEqual(Object.keys(responses[2]!.body).sort(), [
    'as_of',
    'cache',
    'database',
    'findings',
    'outbox',
    'queues',
    'queues_platform',
    'schedules',
    'status',
    'webhooks',
  ])
})

test('identity-9-6 a job that has waited for eleven minutes is a critical finding with a hint', async () => {
  const acme = await tenant()
  await enqueueAgedJob(acme.id, 11)

  const { body } = await acme.admin.get('/api/health/audit')

  const finding = body.findings.find(({ code }: Finding) => code === 'job_waiting')
  const queue = body.queues.find(({ name }: { name: string }) => name === 'bulk')
  assert.equal(body.status, 'critical')
  assert.partialDeepStrictEqual(finding, { severity: 'critical', threshold: 600 })
  assert.ok(finding.value >= 660 && finding.value < 700)
  assert.ok(finding.hint.length > 20)
  assert.partialDeepStrictEqual(queue, { ready: 1, scheduled: 0, running: 0, dead: 0 })
})

test('identity-9-9 the jobs and events of other workspaces do not appear', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await enqueueAgedJob(other.id, 11)
  await other.admin.patch('/api/auth/profile', { name: 'Other Admin' })

  const { body } = await acme.admin.get('/api/health/audit')

  const counts = body.queues.map(({ ready, scheduled, running, dead }: HealthMetrics['queues'][number]) =>
    [ready, scheduled, running, dead].join(),
  )
  assert.deepEqual(new Set(counts), new Set(['0,0,0,0']))
  assert.equal(body.outbox.pending, 0)
  assert.ok(!codesIn(body.findings).some((code) => code.startsWith('job_waiting')))
})

test('the database metrics are plausible', async () => {
  const acme = await tenant()

  const { body } = await acme.admin.get('/api/health/audit')

  const { pool, server } = body.database
  assert.equal(server.max, 300)
  assert.ok(server.used >= 1 && server.used < 300)
  assert.equal(server.usage_rate, Math.round((server.used / server.max) * 1_000) / 1_000)
  assert.partialDeepStrictEqual(pool, { waiting: 0, max: services.config.DATABASE_POOL_SIZE })
  assert.ok(pool.in_use + pool.idle >= 1)
  assert.equal(body.database.replication_lag_seconds, null)
  assert.ok(Date.parse(body.as_of) > 0)
})

test('a transaction left open is reported', async () => {
  const acme = await tenant()
  const idleClient = await owner.connect()
  await idleClient.query('begin; select 1')

  const { body } = await acme.admin.get('/api/health/audit')
  await idleClient.query('rollback')
  idleClient.release()

  assert.ok(body.database.oldest_transaction_seconds > 0)
})

test('identity-9-7 without Redis the audit succeeds and reports the cache as down', async () => {
  const acme = await tenant()
  const before = await acme.admin.get('/api/health/audit')

  await redis.stop()
  const { status, body } = await acme.admin.get('/api/health/audit')

  assert.equal(before.body.cache.status, 'ok')
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body.cache, { status: 'down', latency_ms: null })
  assert.ok(codesIn(body.findings).includes('cache_down warning'))
})

test('without a worker the audit is critical, and with one it is not', async () => {
  const acme = await tenant()
  await owner.query(`delete from pgboss.job_common where data ->> 'job' = 'test.idle'`)

  const withoutWorker = await acme.admin.get('/api/health/audit')
  await startTestWorker()
  const withWorker = await acme.admin.get('/api/health/audit')

  assert.ok(codesIn(withoutWorker.body.findings).includes('no_worker critical'))
  assert.equal(withoutWorker.body.queues_platform.status, 'critical')
  assert.ok(!codesIn(withWorker.body.findings).includes('no_worker critical'))
  assert.ok(withWorker.body.queues_platform.workers_alive >= 1)
  assert.ok(withWorker.body.schedules.some(({ name }: { name: string }) => name === 'platform.delete_tasks'))
})

const healthy: HealthMetrics = {
  queues: [
    {
      name: 'bulk',
      ready: 0,
      scheduled: 0,
      running: 0,
      retrying: 0,
      failed_24h: 0,
      dead: 0,
      oldest_ready_age_seconds: null,
    },
  ],
  queues_platform: { status: 'ok', oldest_ready_age_seconds: null, workers_alive: 1 },
  outbox: { pending: 0, oldest_pending_age_seconds: null, published_1h: 0 },
  webhooks: { endpoints: 0, failing: 0, pending: 0, oldest_pending_age_seconds: null },
  cache: { status: 'disabled', latency_ms: null, hit_rate_1h: null },
  database: {
    pool: { in_use: 1, idle: 1, waiting: 0, max: 8 },
    server: { used: 10, max: 100, usage_rate: 0.1 },
    replication_lag_seconds: null,
    oldest_transaction_seconds: null,
  },
  schedules: [],
}
const queueWith = (change: object) => ({ ...healthy, queues: [{ ...healthy.queues[0]!, ...change }] })
const databaseWith = (change: object) => ({ ...healthy, database: { ...healthy.database, ...change } })

test('the status is the severity of the worst finding, which is listed first', () => {
  const busy = {
    ...queueWith({ oldest_ready_age_seconds: 75 }),
    database: { ...healthy.database, server: { used: 92, max: 100, usage_rate: 0.92 } },
  }

  const findings = deriveFindings(busy)

  assert.deepEqual(codesIn(findings), ['connection_usage critical', 'job_waiting warning'])
  assert.equal(worstSeverity(findings), 'critical')
  assert.equal(worstSeverity(deriveFindings(healthy)), 'ok')
})

test('a finding is reported from its threshold on', () => {
  const cases: [HealthMetrics, string[]][] = [
    [queueWith({ oldest_ready_age_seconds: 59 }), []],
    [queueWith({ oldest_ready_age_seconds: 60 }), ['job_waiting warning']],
    [queueWith({ oldest_ready_age_seconds: 600 }), ['job_waiting critical']],
    [queueWith({ retrying: 100 }), []],
    [queueWith({ name: 'mail', retrying: 1 }), ['mail_failing warning']],
    [queueWith({ name: 'outreach', retrying: 100 }), ['mail_failing critical']],
    [queueWith({ dead: 1 }), ['dead_jobs warning']],
    [queueWith({ dead: 100 }), ['dead_jobs critical']],
    [{ ...healthy, outbox: { ...healthy.outbox, oldest_pending_age_seconds: 30 } }, ['outbox_waiting warning']],
    [{ ...healthy, outbox: { ...healthy.outbox, oldest_pending_age_seconds: 300 } }, ['outbox_waiting critical']],
    [databaseWith({ pool: { ...healthy.database.pool, waiting: 1 } }), ['pool_waiting warning']],
    [databaseWith({ pool: { ...healthy.database.pool, waiting: 10 } }), ['pool_waiting critical']],
    [databaseWith({ server: { used: 70, max: 100, usage_rate: 0.7 } }), ['connection_usage warning']],
    [databaseWith({ oldest_transaction_seconds: 60 }), ['long_transaction warning']],
    [databaseWith({ oldest_transaction_seconds: 600 }), ['long_transaction critical']],
    [{ ...healthy, cache: { ...healthy.cache, status: 'down' } }, ['cache_down warning']],
    [{ ...healthy, queues_platform: { ...healthy.queues_platform, workers_alive: 0 } }, ['no_worker critical']],
  ]

  for (const [metrics, expected] of cases) assert.deepEqual(codesIn(deriveFindings(metrics)), expected)
  assert.equal(platformStatus(null, 0), 'critical')
  assert.equal(platformStatus(61, 1), 'warning')
})
