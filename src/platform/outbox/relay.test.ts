import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Actor, systemIn } from '#platform/access'
import { actorOf, inTenant, listen } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue, startJobs, stopJobs, workOnJobs } from '#platform/jobs'
import { startTestDb } from '#testing'
import { deliverEvent, deliveringEvents } from './deliver.ts'
import { emit } from './emit.ts'
import { relayBatch, startRelay } from './relay.ts'
import { outboxStats } from './stats.ts'
import { registerSubscriptions } from './subscriptions.ts'
import { letterSent, readers } from './test-readers.ts'

const stops: (() => Promise<void>)[] = []
const stopAll = async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
}
afterEach(stopAll)
after(stopJobs)
const { database, owner, db, systemDb } = await startTestDb()
await startJobs(database)
await owner.query(`create table public.read_letters (
  tenant_id uuid default platform.current_tenant_id(), consumer text, letter text, number int)`)
await owner.query('grant select, insert on public.read_letters to app')
const log = { info() {}, warn() {}, error() {} }

/** Everybody notes what they read, in the transaction of the delivery. */
const noting = readers(async (consumer, tx, { subject, data }) => {
  await sql`insert into public.read_letters (consumer, letter, number) values (${consumer}, ${subject.id}, ${data.number})`.execute(
    tx,
  )
})

const send = (tenantId: string, number: number, actor: Partial<Actor> = {}) =>
  inTenant(db, { ...systemIn(tenantId), ...actor }, (tx) => emit(tx, letterSent, { id: newId() }, { number }))

async function read(tenantId: string) {
  const { rows } = await owner.query(
    'select consumer, number from public.read_letters where tenant_id = $1 order by number, consumer',
    [tenantId],
  )
  return rows as { consumer: string; number: number }[]
}

async function startWorker() {
  const { systemUrl } = database
  const handlers = [deliveringEvents]
  const working = await workOnJobs({
    ...{ systemUrl, db, systemDb, handlers, log, pollSeconds: 0.5 },
    tenantStatus: async () => 'active',
  })
  stops.push(working.stop)
}

async function until(isSo: () => boolean | Promise<boolean>, seconds = 15): Promise<void> {
  const end = Date.now() + seconds * 1_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It did not happen within ${seconds} seconds.`)
    await sleep(20)
  }
}

const deliveriesOf = async (tenantId: string) =>
  (await owner.query(`select data, state from pgboss.job_common where name = 'events' and group_id = $1`, [tenantId]))
    .rows

test('everybody who follows an event hears of it once, in its tenant, and of no event that was undone', async () => {
  const [acme, globex] = [newId(), newId()]
  registerSubscriptions(noting)
  const listener = await listen(database.systemUrl)
  stops.push(listener.close)
  stops.push((await startRelay({ systemDb, listener, log, pollMilliseconds: 60_000 })).stop)
  await startWorker()

  await send(acme, 1)
  await send(globex, 2)
  await assert.rejects(
    inTenant(db, systemIn(acme), async (tx) => {
      await emit(tx, letterSent, { id: newId() }, { number: 3 })
      throw new Error('changed my mind')
    }),
  )
  await until(async () => (await read(acme)).length === 2 && (await read(globex)).length === 2)
  await sleep(300)

  assert.deepEqual(
    await read(acme),
    ['test.ada', 'test.bob'].map((consumer) => ({ consumer, number: 1 })),
  )
  assert.deepEqual(
    await read(globex),
    ['test.ada', 'test.bob'].map((consumer) => ({ consumer, number: 2 })),
  )
  assert.deepEqual(await outboxStats(systemDb, acme), { pending: 0, oldest_pending_age_seconds: null, published_1h: 1 })
})

test('a consumer that fails does not keep the event from another, and gets it again', async () => {
  const acme = newId()
  let failures = 0
  registerSubscriptions(
    readers(async (consumer, tx, { data }) => {
      await sql`insert into public.read_letters (consumer, number) values (${consumer}, ${data.number})`.execute(tx)
      if (consumer === 'test.ada' && failures++ < 1) throw new Error('the ink is wet')
    }),
  )
  await send(acme, 1)
  await startWorker()

  await relayBatch(systemDb)
  await until(async () => (await read(acme)).length === 2)

  assert.deepEqual(
    (await read(acme)).map(({ consumer }) => consumer),
    ['test.ada', 'test.bob'],
  )
  assert.equal(failures, 2)
})

test('consumers can tell sample data, and what they do about it is sample data too', async () => {
  const acme = newId()
  const seen: string[] = []
  registerSubscriptions(readers(async (_, tx, { origin }) => void seen.push(`${origin} ${actorOf(tx).origin}`)))
  await send(acme, 1, { origin: 'sample' })
  await send(acme, 2, { origin: 'import' })
  await startWorker()

  await relayBatch(systemDb)
  await until(() => seen.length === 4)

  assert.deepEqual(seen.sort(), ['import job', 'import job', 'sample sample', 'sample sample'])
})

test('an event that is delivered again and again, also at the same time, has one effect', async () => {
  const acme = newId()
  registerSubscriptions(noting)
  await send(acme, 1)
  await relayBatch(systemDb)
  const [{ data }] = await deliveriesOf(acme)
  for (let count = 0; count < 9; count++)
    await inTenant(db, systemIn(acme), (tx) => enqueue(tx, deliverEvent, data.payload))

  await Promise.all([startWorker(), startWorker()])
  await until(async () => (await deliveriesOf(acme)).every(({ state }) => state === 'completed'))

  assert.equal((await deliveriesOf(acme)).length, 11)
  assert.deepEqual(
    (await read(acme)).map(({ consumer }) => consumer),
    ['test.ada', 'test.bob'],
  )
})

test('two relays pass every event on once, none twice and none lost', async () => {
  const tenants = Array.from({ length: 10 }, newId)
  registerSubscriptions(noting)
  const relays = await Promise.all([1, 2].map(() => startRelay({ systemDb, log, pollMilliseconds: 20 })))
  stops.push(...relays.map(({ stop }) => stop))

  await Promise.all(
    tenants.map(async (tenantId) => {
      for (let number = 0; number < 150; number++) await send(tenantId, number)
    }),
  )
  await until(async () => (await outboxStats(systemDb)).pending === 0)

  for (const tenantId of tenants) {
    const deliveries = (await deliveriesOf(tenantId)).map(
      ({ data }) => `${data.payload.event_id} ${data.payload.consumer}`,
    )
    assert.equal(deliveries.length, 300)
    assert.equal(new Set(deliveries).size, 300)
  }
})

test('a relay that is killed between handing over and marking has handed nothing over', async () => {
  const acme = newId()
  registerSubscriptions(noting)
  await until(async () => (await relayBatch(systemDb)) === 0)
  for (let number = 0; number < 20; number++) await send(acme, number)
  await owner.query(`create function public.hang() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') = 'doomed' and new.data ->> 'number' = '19' then perform pg_sleep(2); end if;
      return new;
    end $$`)
  await owner.query(
    'create trigger hang before update on platform.outbox_events for each row execute function public.hang()',
  )
  const doomed = fork(fileURLToPath(new URL('./killed-relay.stand-in.ts', import.meta.url)), [database.systemUrl])
  await until(async () => {
    const { rows } = await owner.query(
      `select from pg_stat_activity where application_name = 'doomed' and wait_event = 'PgSleep'`,
    )
    return rows.length === 1
  })

  doomed.kill('SIGKILL')
  await once(doomed, 'exit')
  const whileHeld = await relayBatch(systemDb)
  await until(async () => (await relayBatch(systemDb)) === 20)

  const deliveries = (await deliveriesOf(acme)).map(({ data }) => `${data.payload.event_id} ${data.payload.consumer}`)
  assert.equal(whileHeld, 0)
  assert.equal(deliveries.length, 40)
  assert.equal(new Set(deliveries).size, 40)
  await owner.query('drop trigger hang on platform.outbox_events')
})

test('while no notice is heard, events are found by looking', async () => {
  const acme = newId()
  registerSubscriptions(noting)
  const listener = await listen(database.systemUrl)
  stops.push(listener.close)
  stops.push((await startRelay({ systemDb, listener, log, pollMilliseconds: 500 })).stop)
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
  )
  await until(() => !listener.isHearing())

  await send(acme, 1)
  await until(async () => (await deliveriesOf(acme)).length === 2, 5)

  assert.equal((await outboxStats(systemDb, acme)).pending, 0)
})
