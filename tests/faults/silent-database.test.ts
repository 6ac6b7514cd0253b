// A database host that disappears without closing its connections must not block requests for long.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy, startTestApp, waitUntil } from '#testing'

const proxy = await startTcpProxy(process.env.TEST_POSTGRES_URL!)
const { tenant, owner, services } = await startTestApp({}, { toDatabaseUrl: proxy.urlOf })
after(proxy.stop)

async function measure<T>(work: Promise<T>): Promise<T & { ms: number }> {
  const start = performance.now()
  const result = await work
  return Object.assign(result as object, { ms: performance.now() - start }) as T & { ms: number }
}

test('requests fail within 6 seconds while the database is silent and work within 5 seconds afterwards', async (t) => {
  const acme = await tenant()
  const callers = [acme.admin, acme.manager, acme.member, acme.viewer]
  await Promise.all([...callers, ...callers].map((caller) => caller.get('/api/teams/')))

  const blocker = await owner.connect()
  await blocker.query('begin; lock table identity.teams in exclusive mode')
  const begun = measure(acme.manager.post('/api/teams/', { name: 'Sales' }, { 'idempotency-key': 'sales' }))
  await waitUntil(async () => (await owner.query('select from pg_locks where not granted')).rowCount! > 0)
  proxy.silence()
  const requests = [begun, ...callers.flatMap((caller) => [0, 1, 2].map(() => measure(caller.get('/api/teams/'))))]
  const probe = await acme.admin.get('/health')
  const failed = await Promise.all(requests)
  await blocker.query('rollback')
  blocker.release()

  proxy.restore()
  const restoredAt = performance.now()
  const isServed = async () => (await acme.viewer.get('/api/teams/')).status === 200
  while (!(await isServed())) await sleep(50)
  await services.jobQueue.getBoss().getDb().executeSql('select 1')
  const recoveryMs = performance.now() - restoredAt

  const slowest = Math.max(...failed.map(({ ms }) => ms))
  t.diagnostic(`slowest failure ${Math.round(slowest)} ms, recovery ${Math.round(recoveryMs)} ms`)
  assert.equal(probe.status, 200)
  assert.deepEqual([...new Set(failed.map(({ status }) => status))], [503])
  assert.ok(failed.every(({ headers, body }) => headers['retry-after'] && body.code === 'dependency_unavailable'))
  assert.ok(slowest < 6_000, `a request failed after ${slowest} ms`)
  assert.ok(recoveryMs < 5_000, `recovered after ${recoveryMs} ms`)
})
