import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Actor, systemActor } from '#platform/access'
import { actorOf, inSystem, inTenant, listen, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { createJobQueue, enqueue, startJobWorker } from '#platform/jobs'
import { createMetrics } from '#platform/telemetry'
import { startTestDb, waitUntil } from '#testing'
import { setConsumerOptIn } from './consumer-tenants.ts'
import { registerConsumers } from './consumers.ts'
import { deliverEvent, deliverEventHandlers } from './deliver.ts'
import { emit } from './emit.ts'
import { createLetterSubscriptions, letterSent } from './letter-subscriptions.fixture.ts'
import { relayBatch, startRelay } from './relay.ts'
import { getOutboxStats, registerOutboxMetrics } from './stats.ts'
import { type EventEnvelope, registerSubscriptions, subscribeToAll } from './subscriptions.ts'

const stops: (() => Promise<void>)[] = []
const stopAll = async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
}
afterEach(stopAll)
after(() => jobQueue.stop())
const { database, owner, db, systemDb } = await startTestDb()
const jobQueue = createJobQueue({ db, systemUrl: database.systemUrl })
await jobQueue.start()
await owner.query(`create table public.read_letters (
  tenant_id uuid default platform.current_tenant_id(), consumer text, letter text, number int)`)
await owner.query('grant select, insert on public.read_letters to app')
const log = { info() {}, warn() {}, error() {} }

/** Store every received event in the transaction of its delivery. */
const storing = createLetterSubscriptions(async (consumer, tx, { subject, data }) => {
  await sql`insert into public.read_letters (consumer, letter, number) values (${consumer}, ${subject.id}, ${data.number})`.execute(
    tx,
  )
})

registerSubscriptions(db, storing)
await inSystem(systemDb, registerConsumers)

const send = (tenantId: string, number: number, actor: Partial<Actor> = {}) =>
  inTenant(db, { ...systemActor(tenantId), ...actor }, (tx) => emit(tx, letterSent, { id: newId() }, { number }))

async function read(tenantId: string) {
  const { rows } = await owner.query(
    'select consumer, number from public.read_letters where tenant_id = $1 order by number, consumer',
    [tenantId],
  )
  return rows as { consumer: string; number: number }[]
}

async function startWorker() {
  const { systemUrl } = database
  const handlers = deliverEventHandlers
  const worker = await startJobWorker({
    systemUrl,
    db,
    systemDb,
    handlers,
    log,
    pollSeconds: 0.5,
    getTenantStatus: async () => 'active',
  })
  stops.push(worker.stop)
}

const deliveriesOf = async (tenantId: string) =>
  (await owner.query(`select data, state from pgboss.job_common where name = 'events' and group_id = $1`, [tenantId]))
    .rows

test('every consumer gets an event once, in its tenant, and no rolled-back event', async () => {
  const [acme, globex] = [newId(), newId()]
  registerSubscriptions(db, storing)
  const listener = await listen(database.systemUrl)
  stops.push(listener.close)
  stops.push((await startRelay({ systemDb, listener, log, pollMs: 60_000 })).stop)
  await startWorker()

  await send(acme, 1)
  await send(globex, 2)
  await assert.rejects(
    inTenant(db, systemActor(acme), async (tx) => {
      await emit(tx, letterSent, { id: newId() }, { number: 3 })
      throw new Error('changed my mind')
    }),
  )
  await waitUntil(async () => (await read(acme)).length === 2 && (await read(globex)).length === 2)
  await sleep(300)

  assert.deepEqual(
    await read(acme),
    ['test.ada', 'test.bob'].map((consumer) => ({ consumer, number: 1 })),
  )
  assert.deepEqual(
    await read(globex),
    ['test.ada', 'test.bob'].map((consumer) => ({ consumer, number: 2 })),
  )
  assert.deepEqual(await getOutboxStats(systemDb, acme), {
    pending: 0,
    oldest_pending_age_seconds: null,
    published_1h: 1,
  })
})

test('a failing consumer does not affect other consumers, and its delivery is retried', async () => {
  const acme = newId()
  let failures = 0
  registerSubscriptions(
    db,
    createLetterSubscriptions(async (consumer, tx, { data }) => {
      await sql`insert into public.read_letters (consumer, number) values (${consumer}, ${data.number})`.execute(tx)
      if (consumer === 'test.ada' && failures++ < 1) throw new Error('the ink is wet')
    }),
  )
  await send(acme, 1)
  await startWorker()

  await relayBatch(systemDb)
  await waitUntil(async () => (await read(acme)).length === 2)

  assert.deepEqual(
    (await read(acme)).map(({ consumer }) => consumer),
    ['test.ada', 'test.bob'],
  )
  assert.equal(failures, 2)
})

test('a consumer that tenants opt in to gets their events only, several in one job', async () => {
  const [acme, globex] = [newId(), newId()]
  const batches: number[][] = []
  const collect = async (_: TenantTx, events: EventEnvelope[]) =>
    void batches.push(events.map(({ data }) => (data as { number: number }).number))
  registerSubscriptions(db, [...storing, subscribeToAll('test.all', collect)])
  await inSystem(systemDb, registerConsumers)
  await inTenant(db, systemActor(acme), (tx) => setConsumerOptIn(tx, 'test.all', true))
  for (const number of [1, 2, 3]) for (const tenantId of [acme, globex]) await send(tenantId, number)
  await startWorker()

  await relayBatch(systemDb)
  await waitUntil(() => batches.length > 0)
  await inTenant(db, systemActor(acme), (tx) => setConsumerOptIn(tx, 'test.all', false))
  await send(acme, 4)
  await relayBatch(systemDb)
  await waitUntil(async () => (await read(acme)).length === 8)

  const jobsFor = async (tenantId: string) =>
    (await deliveriesOf(tenantId)).filter(({ data }) => data.payload.consumer === 'test.all')
  assert.deepEqual(batches, [[1, 2, 3]])
  assert.deepEqual([(await jobsFor(acme)).length, (await jobsFor(globex)).length], [1, 0])
  await owner.query(`delete from platform.event_consumers where consumer = 'test.all'`)
})

test('consumers that were not seen for weeks, or deleted in the meantime, get the events of their own relay', async () => {
  const acme = newId()
  registerSubscriptions(db, storing)

  await owner.query(`update platform.event_consumers set seen_at = now() - interval '3 weeks'`)
  await send(acme, 1)
  await relayBatch(systemDb)
  await owner.query('delete from platform.event_consumers')
  await send(acme, 2)
  await relayBatch(systemDb)

  assert.equal((await deliveriesOf(acme)).length, 4)
  await owner.query('delete from pgboss.job_common where group_id = $1', [acme])
})

test('consumers see the origin sample and act with the origin sample', async () => {
  const acme = newId()
  const seen: string[] = []
  registerSubscriptions(
    db,
    createLetterSubscriptions(async (_, tx, { origin }) => void seen.push(`${origin} ${actorOf(tx).origin}`)),
  )
  await send(acme, 1, { origin: 'sample' })
  await send(acme, 2, { origin: 'import' })
  await startWorker()

  await relayBatch(systemDb)
  await waitUntil(() => seen.length === 4)

  assert.deepEqual(seen.sort(), ['import job', 'import job', 'sample sample', 'sample sample'])
})

test('repeated and concurrent deliveries of an event have one effect', async () => {
  const acme = newId()
  registerSubscriptions(db, storing)
  await send(acme, 1)
  await relayBatch(systemDb)
  const [{ data }] = await deliveriesOf(acme)
  for (let count = 0; count < 9; count++)
    await inTenant(db, systemActor(acme), (tx) => enqueue(tx, deliverEvent, data.payload))

  await Promise.all([startWorker(), startWorker()])
  await waitUntil(async () => (await deliveriesOf(acme)).every(({ state }) => state === 'completed'))

  assert.equal((await deliveriesOf(acme)).length, 11)
  assert.deepEqual(
    (await read(acme)).map(({ consumer }) => consumer),
    ['test.ada', 'test.bob'],
  )
})

test('two concurrent relays relay every event exactly once', async () => {
  const tenants = Array.from({ length: 10 }, newId)
  registerSubscriptions(db, storing)
  const relays = await Promise.all([1, 2].map(() => startRelay({ systemDb, log, pollMs: 20 })))
  stops.push(...relays.map(({ stop }) => stop))

  await Promise.all(
    tenants.map(async (tenantId) => {
      for (let number = 0; number < 150; number++) await send(tenantId, number)
    }),
  )
  await waitUntil(async () => (await getOutboxStats(systemDb)).pending === 0)

  for (const tenantId of tenants) {
    const deliveries = (await deliveriesOf(tenantId)).map(
      ({ data }) => `${data.payload.event_id} ${data.payload.consumer}`,
    )
    assert.equal(deliveries.length, 300)
    assert.equal(new Set(deliveries).size, 300)
  }
})

test('a relay that is killed before its commit has relayed nothing', async () => {
  const acme = newId()
  registerSubscriptions(db, storing)
  await waitUntil(async () => (await relayBatch(systemDb)) === 0)
  for (let number = 0; number < 20; number++) await send(acme, number)
  await owner.query(`create function public.hang() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') = 'killed_relay' and new.data ->> 'number' = '19' then perform pg_sleep(2); end if;
      return new;
    end $$`)
  await owner.query(
    'create trigger hang before update on platform.outbox_events for each row execute function public.hang()',
  )
  const relay = fork(fileURLToPath(new URL('./killed-relay.stand-in.ts', import.meta.url)), [database.systemUrl])
  await waitUntil(async () => {
    const { rows } = await owner.query(
      `select from pg_stat_activity where application_name = 'killed_relay' and wait_event = 'PgSleep'`,
    )
    return rows.length === 1
  })

  relay.kill('SIGKILL')
  await once(relay, 'exit')
  const whileHeld = await relayBatch(systemDb)
  await waitUntil(async () => (await relayBatch(systemDb)) === 20)

  const deliveries = (await deliveriesOf(acme)).map(({ data }) => `${data.payload.event_id} ${data.payload.consumer}`)
  assert.equal(whileHeld, 0)
  assert.equal(deliveries.length, 40)
  assert.equal(new Set(deliveries).size, 40)
  await owner.query('drop trigger hang on platform.outbox_events')
})

test('without notifications, events are found by polling', async () => {
  const acme = newId()
  registerSubscriptions(db, storing)
  const listener = await listen(database.systemUrl)
  stops.push(listener.close)
  stops.push((await startRelay({ systemDb, listener, log, pollMs: 500 })).stop)
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
  )
  await waitUntil(() => !listener.isConnected())

  await send(acme, 1)
  await waitUntil(async () => (await deliveriesOf(acme)).length === 2, 5)

  assert.equal((await getOutboxStats(systemDb, acme)).pending, 0)
})

test('the outbox lag is the age of the oldest event that was not relayed', async () => {
  const metrics = createMetrics()
  registerOutboxMetrics(metrics, systemDb)
  const readLag = async () => Number((await metrics.text()).match(/^outbox_lag_seconds (\S+)$/m)?.[1])
  while (await relayBatch(systemDb));
  assert.equal(await readLag(), 0)

  await send(newId(), 1)
  await owner.query(
    `update platform.outbox_events set occurred_at = now() - interval '90 seconds' where published_at is null`,
  )
  assert.ok((await readLag()) >= 90)

  await relayBatch(systemDb)
  assert.equal(await readLag(), 0)
})
