import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '#platform/config'
import { startPostgres, startRedis, startTestApp, waitForValue, waitUntil } from '#testing'
import { buildApp } from '../../../app.ts'
import { openServices } from '../../../services.ts'

/** Starts the application with its own PostgreSQL and Redis servers, which a test can stop. */
async function startWithOwnServers(environment: Record<string, string> = {}) {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    APP_DOMAIN: 'tributary.test',
    RATE_LIMIT_FACTOR: '0',
    DATABASE_URL: `${postgres.url}/postgres`,
    DATABASE_SYSTEM_URL: `${postgres.url}/postgres`,
    REDIS_URL: redis.url,
    ...environment,
  })
  const { services, close } = await openServices(config)
  const app = await buildApp(services)
  services.lifecycle.state = 'ready'
  after(async () => {
    await app.close()
    await close()
    await Promise.all([postgres.stop(), redis.stop()])
  })
  await waitUntil(() => services.cache.status() !== 'down')
  const get = async (url: string, host = 'tributary.test') => {
    const response = await app.inject({ method: 'GET', url, headers: { host } })
    return { status: response.statusCode, headers: response.headers, body: response.json(), text: response.body }
  }
  return { app, services, postgres, redis, get }
}

const sharedForMs = 2_100

test('identity-9-1 identity-9-2 each probe reports its status when Redis and then the database is stopped', async () => {
  const { get, postgres, redis } = await startWithOwnServers()

  const healthy = await get('/api/health/deep')
  await redis.stop()
  await sleep(sharedForMs)
  const degraded = await get('/api/health/deep')
  await postgres.stop()
  await sleep(sharedForMs)
  const down = await get('/api/health/deep')
  const alive = await get('/health')
  const ready = await get('/api/health')

  assert.equal(healthy.status, 200)
  assert.deepEqual(Object.keys(healthy.body), ['status', 'checked_at', 'checks'])
  assert.partialDeepStrictEqual(healthy.body, {
    status: 'ok',
    checks: { database: { status: 'ok' }, cache: { status: 'ok' } },
  })
  assert.ok(healthy.body.checks.database.latency_ms >= 0 && healthy.body.checks.cache.latency_ms >= 0)
  assert.equal(degraded.status, 200)
  assert.partialDeepStrictEqual(degraded.body, {
    status: 'degraded',
    checks: { database: { status: 'ok' }, cache: { status: 'down', latency_ms: null } },
  })
  assert.equal(down.status, 503)
  assert.equal(down.headers['retry-after'], '5')
  assert.partialDeepStrictEqual(down.body, {
    status: 'down',
    checks: { database: { status: 'down', latency_ms: null }, cache: { status: 'down', latency_ms: null } },
  })
  assert.doesNotMatch(down.text, /127\.0\.0\.1|ECONN|postgres|redis|rror/)
  assert.deepEqual([alive.status, alive.body], [200, { status: 'ok' }])
  assert.equal(ready.status, 200)
})

test('identity-9-2 an unresponsive database is down after one second, and a disabled cache is not degraded', async () => {
  const { get, postgres } = await startWithOwnServers({ REDIS_URL: '' })
  await get('/api/health/deep')
  await sleep(sharedForMs)
  process.kill(postgres.pid, 'SIGSTOP')
  const children = await childrenOf(postgres.pid)
  for (const pid of children) process.kill(pid, 'SIGSTOP')

  const start = performance.now()
  const down = await get('/api/health/deep')
  const tookMs = performance.now() - start
  for (const pid of [postgres.pid, ...children]) process.kill(pid, 'SIGCONT')

  assert.equal(down.status, 503)
  assert.partialDeepStrictEqual(down.body.checks, { database: { status: 'down' }, cache: { status: 'disabled' } })
  assert.ok(tookMs < 1_500, `it took ${tookMs} ms`)
})

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

test('identity-9-3 a draining process is alive, not ready, and completes open requests', async () => {
  const { app, services, tenant, owner } = await startTestApp({}, { isOwn: true })
  const { admin, anonymous } = await tenant()
  await waitForValue(
    () => admin.get('/api/tasks/'),
    ({ status }) => status === 200,
  )
  const lockHolder = new pg.Client({ connectionString: owner.options.connectionString })
  await lockHolder.connect()
  await lockHolder.query('begin; lock table platform.background_tasks in access exclusive mode')
  services.lifecycle.state = 'starting'
  const starting = await anonymous.get('/api/health')
  services.lifecycle.state = 'ready'

  const openRequest = admin.get('/api/tasks/')
  await sleep(200)
  services.lifecycle.state = 'draining'
  const [draining, alive] = [await anonymous.get('/api/health'), await anonymous.get('/health')]
  const closed = app.close()
  await sleep(200)
  await lockHolder.query('rollback')
  await lockHolder.end()

  assert.deepEqual([starting.status, starting.body.status], [503, 'starting'])
  assert.deepEqual([draining.status, draining.body.status], [503, 'draining'])
  assert.deepEqual(Object.keys(draining.body), ['status', 'service', 'api_version', 'time'])
  assert.equal(alive.status, 200)
  assert.equal((await openRequest).status, 200)
  await closed
})

test('identity-9-4 a thousand concurrent deep checks query the database and the cache once', async () => {
  const { get, postgres, services } = await startWithOwnServers()
  let pings = 0
  const ping = services.cache.ping
  services.cache.ping = () => {
    pings++
    return ping()
  }
  const counter = new pg.Client(`${postgres.url}/postgres`)
  await counter.connect()
  const transactions = async () => {
    await sleep(1_200)
    const { rows } = await counter.query(
      `select xact_commit::int as n from pg_stat_database where datname = 'postgres'`,
    )
    return rows[0].n as number
  }
  const before = await transactions()

  const responses = await Promise.all(Array.from({ length: 1_000 }, () => get('/api/health/deep')))

  const after = await transactions()
  await counter.end()
  assert.ok(responses.every(({ status }) => status === 200))
  assert.equal(new Set(responses.map(({ body }) => body.checked_at)).size, 1)
  assert.equal(pings, 1)
  assert.ok(after - before < 20, `${after - before} transactions`)
})

test('identity-9-8 the three public probes respond on every host, including a suspended workspace', async () => {
  const { tenant, client, owner, domain } = await startTestApp({}, { isOwn: true })
  const acme = await tenant()
  await owner.query(`update identity.tenants set status = 'suspended' where id = $1`, [acme.id])
  const hosts = ['127.0.0.1:3000', '[::1]', domain, acme.host, `unknown.${domain}`]

  await waitForValue(
    () => acme.admin.get('/api/tasks/'),
    ({ status }) => status !== 503,
  )

  const responses = await Promise.all(
    hosts.flatMap((host) => ['/health', '/api/health', '/api/health/deep'].map((url) => client({ host }).get(url))),
  )
  const suspended = await acme.admin.get('/api/tasks/')

  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(suspended.body.code, 'tenant_suspended')
})

test('deep checks are limited to sixty per minute and IP address, and the other probes are not', async () => {
  const { client, domain } = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
  const { get } = client({ host: domain })

  // On a busy machine a new minute can begin once, which allows sixty more.
  let allowed = 0
  while (allowed <= 120 && (await get('/api/health/deep')).status === 200) allowed++
  const refused = await get('/api/health/deep')
  const probes = await Promise.all(Array.from({ length: 300 }, (_, n) => get(n % 2 ? '/health' : '/api/health')))

  assert.ok(allowed >= 60 && allowed <= 120, `${allowed} were allowed`)
  assert.equal(refused.status, 429)
  assert.deepEqual(new Set(probes.map(({ status }) => status)), new Set([200]))
  assert.equal(probes[0]!.headers['ratelimit-policy'], undefined)
})
