import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inSystem, inTenant } from '#platform/db'
import { minIdAt, newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { dropOldEvents } from './maintenance.ts'

const { db, systemDb, owner } = await startTestDb()
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
async function insertOldEvent(days: number, isPublished: boolean): Promise<string> {
  const id = minIdAt(daysLater(now, -days)).slice(0, -12) + newId().slice(-12)
  await inTenant(db, acme, async (tx) => {
    await sql`insert into platform.outbox_events (id, type, subject_type, subject_id, actor, origin, data)
      values (${id}, 'book.printed', 'book', 'x', '{}', 'system', '{}')`.execute(tx)
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

  const first = await inSystem(systemDb, (tx) => dropOldEvents(tx, now))
  const afterFirst = await listRemaining()
  await publish(unpublished)
  const second = await inSystem(systemDb, (tx) => dropOldEvents(tx, now))
  const afterSecond = await listRemaining()

  assert.equal(first, 2)
  assert.deepEqual(afterFirst, { events: [unpublished, recent], receipts: [unpublished, recent] })
  assert.equal(second, 2)
  assert.deepEqual(afterSecond, { events: [recent], receipts: [recent] })
})

test('old events in the default partition are deleted too', async () => {
  const [old, waiting] = [await insertOldEvent(20, true), await insertOldEvent(20, false)]
  const before = await listRemaining()

  await inSystem(systemDb, (tx) => dropOldEvents(tx, now))

  const { events, receipts } = await listRemaining()
  assert.ok(before.events.includes(old))
  assert.ok(!events.includes(old) && !receipts.includes(old))
  assert.ok(events.includes(waiting) && receipts.includes(waiting))
})
