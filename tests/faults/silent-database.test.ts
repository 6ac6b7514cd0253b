// A database that is lost must not block requests for long, and what was not stored can be sent again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy, startTestApp, waitUntil } from '#testing'
import { actorsUrl, dashboardUrl, eventsUrl, findActor, usageEvent } from '../../src/modules/plg/plg.fixture.ts'

const proxy = await startTcpProxy(process.env.TEST_POSTGRES_URL!)
const { tenant, owner, services } = await startTestApp(
  { DATABASE_WAIT_MS: '2000' },
  { toDatabaseUrl: (url) => `${proxy.urlOf(url)}?options=${encodeURIComponent('-c statement_timeout=3500')}` },
)
after(proxy.stop)

async function measure<T>(work: Promise<T>): Promise<T & { ms: number }> {
  const start = performance.now()
  const result = await work
  return Object.assign(result as object, { ms: performance.now() - start }) as T & { ms: number }
}

test('engagement-3-15 events that were sent while the database was lost are accepted once afterwards', async () => {
  const acme = await tenant()
  const user = { name: 'Secret Name', email: 'secret@acme.example' }
  const contact = await acme.admin.post('/api/contacts/', { first_name: 'Ada', last_name: 'Hill', email: user.email })
  const send = (...ids: string[]) =>
    acme.manager.post(eventsUrl, {
      events: ids.map((id) => usageEvent({ event_id: id, user, properties: { note: 'secret note' } })),
    })
  const readNumbers = async () => {
    const { active, events } = (await acme.viewer.get(dashboardUrl)).body
    return { dau: active.dau, total: events.total }
  }
  await send('before')

  proxy.close()
  const lost = await send('one', 'two')
  proxy.restore()
  await waitUntil(async () => (await acme.viewer.get('/api/teams/')).status === 200)
  const before = await readNumbers()
  const [retried, again] = [await send('one', 'two'), await send('one', 'two')]
  const actor = await findActor(acme, 'user-1')
  const linked = await acme.manager.patch(`${actorsUrl}/${actor.id}`, { contact_id: contact.body.id })
  const erased = await acme.manager.delete(`${actorsUrl}/${actor.id}`)

  assert.deepEqual([lost.status, lost.body.code], [503, 'dependency_unavailable'])
  assert.deepEqual(before, { dau: 1, total: 1 })
  assert.partialDeepStrictEqual(retried.body, { accepted: 2, duplicates: 0 })
  assert.partialDeepStrictEqual(again.body, { accepted: 0, duplicates: 2 })
  assert.deepEqual([linked.body.contact?.id, erased.status], [contact.body.id, 204])
  assert.deepEqual(await readNumbers(), { dau: 1, total: 3 })
  const { rows } = await acme.sql(
    `select (select count(*)::int from plg.events where tenant_id = $1 and properties is not null) as properties,
      (select count(*)::int from plg.actors where tenant_id = $1 and (contact_id is not null or email is not null)) as links`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ properties: 0, links: 0 }])
})

test('requests fail after the statement timeout while the database is silent, and work again afterwards', async (t) => {
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
  // About 5.5 and 1 seconds on an idle machine.
  assert.ok(slowest < 20_000, `a request failed after ${slowest} ms`)
  assert.ok(recoveryMs < 20_000, `recovered after ${recoveryMs} ms`)
})
