import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inSystem, inTenant, type SystemTx } from '#platform/db'
import { minIdAt, newId } from '#platform/ids'
import { createJobQueue, enqueue, listDeadJobs, redriveDeadJobs, startJobWorker } from '#platform/jobs'
import { startTestDb, waitUntil } from '#testing'
import { deliverEvent, deliverEventHandlers } from './deliver.ts'
import { dropOldEvents } from './partitions.ts'
import { registerSubscriptions } from './subscriptions.ts'

const { database, db, systemDb, owner } = await startTestDb()
const jobQueue = createJobQueue({ db, systemUrl: database.systemUrl })
await jobQueue.start()
after(jobQueue.stop)
const context = {
  inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
  signal: new AbortController().signal,
}
const now = new Date()
const acme = systemActor(newId())

async function createOldPartition(name: string, days: number): Promise<void> {
  const day = daysLater(now, -days).toISOString().slice(0, 10)
  for (const table of ['outbox_events', 'event_receipts']) {
    await owner.query(`create table platform.${table}_${name} partition of platform.${table}
      for values from (platform.id_at('${day} 00:00Z')) to (platform.id_at('${day} 24:00Z'))`)
    await owner.query(`call platform.guard_partition('platform.${table}_${name}')`)
  }
}

/** Inserts an event of `days` days ago and its receipt. */
async function insertOldEvent(days: number, isPublished: boolean, hasReceipt = true): Promise<string> {
  const id = minIdAt(daysLater(now, -days)).slice(0, -12) + newId().slice(-12)
  await inTenant(db, acme, async (tx) => {
    await sql`insert into platform.outbox_events (id, type, subject_type, subject_id, actor, origin, data)
      values (${id}, 'book.printed', 'book', 'x', '{}', 'system', '{}')`.execute(tx)
    if (!hasReceipt) return
    await sql`insert into platform.event_receipts (consumer, event_id) values ('test.reader', ${id})`.execute(tx)
  })
  if (isPublished) await publish(id)
  return id
}

const publish = (id: string) =>
  inSystem(systemDb, (tx) => sql`update platform.outbox_events set published_at = now() where id = ${id}`.execute(tx))

async function listRemaining() {
  const events = await owner.query('select id from platform.outbox_events order by id')
  const receipts = await owner.query('select event_id as id from platform.event_receipts order by 1')
  return { events: events.rows.map(({ id }) => id), receipts: receipts.rows.map(({ id }) => id) }
}

test('events are dropped after a week unless their day has an unpublished event, and receipts not before their events', async () => {
  await createOldPartition('nine', 9)
  await createOldPartition('ten', 10)
  await insertOldEvent(10, true)
  const unpublished = await insertOldEvent(9, false)
  const recent = await insertOldEvent(0, true)

  const first = await dropOldEvents(context, now)
  const afterFirst = await listRemaining()
  await publish(unpublished)
  const second = await dropOldEvents(context, now)
  const afterSecond = await listRemaining()

  assert.equal(first, 2)
  assert.deepEqual(afterFirst, { events: [unpublished, recent], receipts: [unpublished, recent] })
  assert.equal(second, 2)
  assert.deepEqual(afterSecond, { events: [recent], receipts: [recent] })
})

test('old events in the default partition are deleted too', async () => {
  const [old, waiting] = [await insertOldEvent(20, true), await insertOldEvent(20, false)]
  const before = await listRemaining()

  await dropOldEvents(context, now)

  const { events, receipts } = await listRemaining()
  assert.ok(before.events.includes(old))
  assert.ok(!events.includes(old) && !receipts.includes(old))
  assert.ok(events.includes(waiting) && receipts.includes(waiting))
})

test('an old event is kept until a delivery in the dead-letter queue is redriven, and then deleted', async () => {
  await createOldPartition('eight', 8)
  const [kept, delivered] = [await insertOldEvent(8, true, false), await insertOldEvent(8, true)]
  const received: string[] = []
  const isReady = { now: false }
  registerSubscriptions(db, [
    {
      consumer: 'test.reader',
      types: new Set(['book.printed']),
      isInTransaction: false,
      async handle(_, { id }) {
        if (!isReady.now) throw new Error('not ready')
        received.push(id)
      },
    },
  ])
  await inTenant(db, acme, (tx) => enqueue(tx, deliverEvent, { event_id: kept, consumer: 'test.reader' }))
  await owner.query('update pgboss.job_common set retry_limit = 0')
  const { stop } = await startJobWorker({
    systemUrl: database.systemUrl,
    db,
    systemDb,
    handlers: deliverEventHandlers,
    pollSeconds: 0.5,
    log: { info() {}, warn() {}, error() {} },
    getTenantStatus: async () => 'active' as const,
  })
  await waitUntil(async () => (await listDeadJobs(jobQueue, 'events')).length === 1)

  await dropOldEvents(context, now)
  const whileDead = await listRemaining()
  isReady.now = true
  await redriveDeadJobs(jobQueue, 'events')
  await waitUntil(() => received.length === 1)
  await waitUntil(async () => {
    await dropOldEvents(context, now)
    return !(await listRemaining()).events.includes(kept)
  })
  await stop()

  assert.ok(whileDead.events.includes(kept))
  assert.ok(!whileDead.events.includes(delivered) && !whileDead.receipts.includes(delivered))
  assert.deepEqual(received, [kept])
})
