// Workers of two versions on one database: the older one does not know all event types and consumers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { connect, connectSystem, disconnect, inSystem, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { createJobQueue, startJobWorker } from '#platform/jobs'
import { startTestDb, waitUntil } from '#testing'
import { deleteRetiredConsumers, registerConsumers, startConsumerRegistration } from './consumers.ts'
import { deliverEventHandlers } from './deliver.ts'
import { emit } from './emit.ts'
import { relayBatch, startRelay } from './relay.ts'
import { getOutboxStats } from './stats.ts'
import { type DomainEvent, defineEvent, type EventEnvelope, registerSubscriptions, subscribe } from './subscriptions.ts'

const { database, owner } = await startTestDb()
await owner.query(`create table public.deliveries (
  tenant_id uuid default platform.current_tenant_id(), consumer text, event_id uuid, version text)`)
await owner.query('grant select, insert on public.deliveries to app')

const define = (type: string) =>
  defineEvent(type, { resource: 'content', description: 'Something happened.', data: Type.Object({}) })
const bookPrinted = define('novel.printed')
const bookSold = define('novel.sold')

type Catalogue = Record<string, DomainEvent>
/** Version 2 adds an event type with a consumer and a consumer of an existing type, and removes the consumer `test.index`. */
const catalogues = {
  v1: { 'test.shelf': bookPrinted, 'test.index': bookPrinted },
  v2: { 'test.shelf': bookPrinted, 'test.critic': bookPrinted, 'test.till': bookSold },
} satisfies Record<string, Catalogue>

async function openVersion(version: string, catalogue: Catalogue) {
  const db = connect(database.appUrl)
  const systemDb = connectSystem(database.systemUrl, { sameInstanceAs: db })
  const jobQueue = createJobQueue({ db, systemUrl: database.systemUrl })
  await jobQueue.start()
  const store =
    (consumer: string) =>
    async (tx: TenantTx, { id }: EventEnvelope) => {
      await sql`insert into public.deliveries (consumer, event_id, version) values (${consumer}, ${id}, ${version})`.execute(
        tx,
      )
    }
  registerSubscriptions(
    db,
    Object.entries(catalogue).map(([consumer, event]) => subscribe(event, consumer, store(consumer))),
  )
  const warnings: string[] = []
  const log = { info() {}, warn: (_: object, message: string) => void warnings.push(message), error() {} }
  const stops: (() => unknown)[] = [jobQueue.stop, () => disconnect(db), () => disconnect(systemDb)]
  after(async () => {
    for (const stop of stops) await stop()
  })
  return {
    db,
    systemDb,
    warnings,
    register: () => inSystem(systemDb, registerConsumers),
    async startWorker() {
      const registration = await startConsumerRegistration({ systemDb, log })
      const relay = await startRelay({ systemDb, log, pollMs: 50 })
      const worker = await startJobWorker({
        systemUrl: database.systemUrl,
        db,
        systemDb,
        log,
        handlers: deliverEventHandlers,
        pollSeconds: 0.5,
        getTenantStatus: async () => 'active',
      })
      let stopped: Promise<void> | undefined
      const stop = async () => {
        registration.stop()
        await relay.stop()
        await worker.stop()
      }
      const stopOnce = () => (stopped ??= stop())
      stops.unshift(stopOnce)
      return stopOnce
    },
    emit: (tenantId: string, event: DomainEvent) =>
      inTenant(db, systemActor(tenantId), (tx) => emit(tx, event, { id: newId() }, {})),
  }
}

async function countDeliveries(tenantId: string) {
  const { rows } = await owner.query(
    `select consumer, count(*)::int as deliveries, count(distinct event_id)::int as events
     from public.deliveries where tenant_id = $1 group by 1 order by 1`,
    [tenantId],
  )
  return rows
}
const countOf = async (tenantId: string, consumer: string) =>
  (await countDeliveries(tenantId)).find((row) => row.consumer === consumer)?.deliveries ?? 0

const listJobs = async (tenantId: string) =>
  (await owner.query('select name, state::text, data from pgboss.job_common where group_id = $1', [tenantId])).rows

const skipWaiting = () => owner.query(`update pgboss.job_common set start_after = now() where state = 'retry'`)

const v1 = await openVersion('v1', catalogues.v1)
const v2 = await openVersion('v2', catalogues.v2)

test('while a worker of the previous version relays beside a new one, no event is lost and none is delivered twice', async () => {
  const acme = newId()
  const emitTen = async () => {
    for (let count = 0; count < 10; count++) for (const event of [bookPrinted, bookSold]) await v2.emit(acme, event)
  }
  const stopOld = await v1.startWorker()
  await v2.register()

  await emitTen()
  await waitUntil(async () => (await countOf(acme, 'test.shelf')) === 10 && (await countOf(acme, 'test.index')) === 10)
  await waitUntil(async () => (await getOutboxStats(v1.systemDb)).pending === 0)
  const beforeNew = await countDeliveries(acme)
  const stopNew = await v2.startWorker()
  await emitTen()
  await waitUntil(async () => {
    await skipWaiting()
    return (await listJobs(acme)).every(({ state }) => state === 'completed')
  })
  await stopOld()
  await stopNew()

  assert.deepEqual(
    beforeNew.map(({ consumer }) => consumer),
    ['test.index', 'test.shelf'],
  )
  assert.deepEqual(
    await countDeliveries(acme),
    ['test.critic', 'test.index', 'test.shelf', 'test.till'].map((consumer) => ({
      consumer,
      deliveries: 20,
      events: 20,
    })),
  )
  assert.equal((await listJobs(acme)).length, 80)
})

test('a consumer that is added later gets the events emitted after its registration', async () => {
  const acme = newId()
  await owner.query('delete from platform.event_consumers')
  await v1.register()
  await v1.emit(acme, bookPrinted)
  await relayBatch(v1.systemDb)

  await v2.register()
  await v1.emit(acme, bookPrinted)
  await relayBatch(v1.systemDb)

  const consumers = (await listJobs(acme)).map(({ data }) => data.payload.consumer).sort()
  assert.deepEqual(consumers, ['test.critic', 'test.index', 'test.index', 'test.shelf', 'test.shelf'])
})

test('a removed consumer is retired after a week, and its waiting deliveries then end with a warning', async () => {
  const acme = newId()
  const removedSince = (interval: string) =>
    owner.query('update platform.event_consumers set seen_at = now() - $1::interval', [interval])
  const countWaiting = async () => (await listJobs(acme)).filter(({ state }) => state !== 'completed').length
  await owner.query('delete from pgboss.job_common')
  await v1.register()
  await removedSince('6 days')
  await v2.emit(acme, bookPrinted)
  await relayBatch(v2.systemDb)

  const kept = await inSystem(v2.systemDb, deleteRetiredConsumers)
  await removedSince('8 days')
  const retired = await inSystem(v2.systemDb, deleteRetiredConsumers)
  await v2.emit(acme, bookPrinted)
  const stop = await v2.startWorker()
  await waitUntil(async () => (await countOf(acme, 'test.critic')) === 2 && (await countOf(acme, 'test.shelf')) === 2)
  await waitUntil(async () => {
    await skipWaiting()
    return (await countWaiting()) === 0
  })
  await stop()

  assert.deepEqual([kept, retired], [[], ['test.index']])
  assert.deepEqual(v2.warnings, ['event was not delivered to a retired consumer'])
  assert.equal(await countOf(acme, 'test.index'), 0)
})
