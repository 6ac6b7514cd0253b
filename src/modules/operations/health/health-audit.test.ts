import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { systemIn } from '#platform/access'
import { inTenant } from '#platform/db'
import { defineJob, enqueue } from '#platform/jobs'
import { startRedis, startTestApp } from '#testing'
import { until } from '../tasks/tasks.fixture.ts'
import { findingsIn, platformStatus, worstOf } from './health-audit.rules.ts'
import type { Finding, HealthFigures } from './health-audit.schemas.ts'

const redis = await startRedis()
const { tenant, services, owner, startTestWorker } = await startTestApp({ REDIS_URL: redis.url })
const rest = defineJob('test.rest', 'bulk', Type.Object({}))

async function parkJob(tenantId: string, ageMinutes: number) {
  await inTenant(services.db, systemIn(tenantId), (tx) => enqueue(tx, rest, {}))
  await owner.query(
    `update pgboss.job_common
     set created_on = now() - $2 * interval '1 minute', start_after = now() - $2 * interval '1 minute'
     where group_id = $1 and data ->> 'job' = 'test.rest'`,
    [tenantId, ageMinutes],
  )
}
const codesIn = (findings: Finding[]) => findings.map(({ code, severity }) => `${code} ${severity}`)

test('identity-9-5 the audit is for admins, and for keys of theirs that may read it', async () => {
  const acme = await tenant()
  await until(
    () => acme.admin.get('/api/health/audit'),
    ({ status }) => status !== 503,
  )
  const { body: created } = await acme.admin.post('/api/api-keys', { name: 'Watch', scopes: ['admin.read'] })
  const key = acme.bearer(`ApiKey ${created.key}`)

  const answers = await Promise.all(
    [acme.anonymous, acme.manager, acme.admin, key].map((caller) => caller.get('/api/health/audit')),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 403, 200, 200],
  )
  assert.deepEqual(Object.keys(answers[2]!.body).sort(), [
    ...['as_of', 'cache', 'database', 'findings', 'outbox', 'queues', 'queues_platform', 'schedules', 'status'],
    'webhooks',
  ])
})

test('identity-9-6 a job that was left alone for eleven minutes is critical, with a word on what to do', async () => {
  const acme = await tenant()
  await parkJob(acme.id, 11)

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
  await parkJob(other.id, 11)
  await other.admin.patch('/api/auth/profile', { name: 'Somebody Else' })

  const { body } = await acme.admin.get('/api/health/audit')

  const counts = body.queues.map(({ ready, scheduled, running, dead }: HealthFigures['queues'][number]) =>
    [ready, scheduled, running, dead].join(),
  )
  assert.deepEqual(new Set(counts), new Set(['0,0,0,0']))
  assert.equal(body.outbox.pending, 0)
  assert.ok(!codesIn(body.findings).some((code) => code.startsWith('job_waiting')))
})

test('figures of the server are there and make sense', async () => {
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

test('a transaction that somebody forgot is found', async () => {
  const acme = await tenant()
  const forgotten = await owner.connect()
  await forgotten.query('begin; select 1')

  const { body } = await acme.admin.get('/api/health/audit')
  await forgotten.query('rollback')
  forgotten.release()

  assert.ok(body.database.oldest_transaction_seconds > 0)
})

test('identity-9-7 without Redis the audit still answers, and says so', async () => {
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
  await owner.query(`delete from pgboss.job_common where data ->> 'job' = 'test.rest'`)

  const without = await acme.admin.get('/api/health/audit')
  await startTestWorker()
  const withOne = await acme.admin.get('/api/health/audit')

  assert.ok(codesIn(without.body.findings).includes('no_worker critical'))
  assert.equal(without.body.queues_platform.status, 'critical')
  assert.ok(!codesIn(withOne.body.findings).includes('no_worker critical'))
  assert.ok(withOne.body.queues_platform.workers_alive >= 1)
  assert.ok(withOne.body.schedules.some(({ name }: { name: string }) => name === 'platform.drop_tasks'))
})

const sound: HealthFigures = {
  queues: [
    {
      ...{ name: 'bulk', ready: 0, scheduled: 0, running: 0, failed_24h: 0, dead: 0 },
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
const queueWith = (change: object) => ({ ...sound, queues: [{ ...sound.queues[0]!, ...change }] })
const databaseWith = (change: object) => ({ ...sound, database: { ...sound.database, ...change } })

test('the status is that of the worst finding, which comes first', () => {
  const busy = {
    ...queueWith({ oldest_ready_age_seconds: 75 }),
    database: { ...sound.database, server: { used: 92, max: 100, usage_rate: 0.92 } },
  }

  const findings = findingsIn(busy)

  assert.deepEqual(codesIn(findings), ['connection_usage critical', 'job_waiting warning'])
  assert.equal(worstOf(findings), 'critical')
  assert.equal(worstOf(findingsIn(sound)), 'ok')
})

test('every threshold is a threshold', () => {
  const cases: [HealthFigures, string[]][] = [
    [queueWith({ oldest_ready_age_seconds: 59 }), []],
    [queueWith({ oldest_ready_age_seconds: 60 }), ['job_waiting warning']],
    [queueWith({ oldest_ready_age_seconds: 600 }), ['job_waiting critical']],
    [queueWith({ dead: 1 }), ['dead_jobs warning']],
    [queueWith({ dead: 100 }), ['dead_jobs critical']],
    [{ ...sound, outbox: { ...sound.outbox, oldest_pending_age_seconds: 30 } }, ['outbox_waiting warning']],
    [{ ...sound, outbox: { ...sound.outbox, oldest_pending_age_seconds: 300 } }, ['outbox_waiting critical']],
    [databaseWith({ pool: { ...sound.database.pool, waiting: 1 } }), ['pool_waiting warning']],
    [databaseWith({ pool: { ...sound.database.pool, waiting: 10 } }), ['pool_waiting critical']],
    [databaseWith({ server: { used: 70, max: 100, usage_rate: 0.7 } }), ['connection_usage warning']],
    [databaseWith({ oldest_transaction_seconds: 60 }), ['long_transaction warning']],
    [databaseWith({ oldest_transaction_seconds: 600 }), ['long_transaction critical']],
    [{ ...sound, cache: { ...sound.cache, status: 'down' } }, ['cache_down warning']],
    [{ ...sound, queues_platform: { ...sound.queues_platform, workers_alive: 0 } }, ['no_worker critical']],
  ]

  for (const [figures, expected] of cases) assert.deepEqual(codesIn(findingsIn(figures)), expected)
  assert.equal(platformStatus(null, 0), 'critical')
  assert.equal(platformStatus(61, 1), 'warning')
})
