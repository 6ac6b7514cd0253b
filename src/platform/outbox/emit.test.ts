import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Actor, systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { Timestamp } from '#platform/schema'
import { countStatements, startTestDb } from '#testing'
import { emit, emitMany } from './emit.ts'
import {
  type DomainEvent,
  defineEvent,
  type EventEnvelope,
  listDefinedEvents,
  registerSubscriptions,
  subscribe,
  subscribeInTransaction,
} from './subscriptions.ts'

const { db, owner } = await startTestDb()
const bookPrinted = defineEvent('book.printed', {
  resource: 'content',
  description: 'A book was printed.',
  data: Type.Object({ title: Type.String(), printed_at: Timestamp }),
})
const book = { title: 'On engines', printed_at: new Date('2026-03-01T09:30:00Z') }

async function eventsOf(tenantId: string) {
  return await inTenant(db, systemActor(tenantId), (tx) =>
    tx
      .selectFrom('platform.outbox_events')
      .select(['type', 'subject_type', 'subject_id', 'subject_version', 'actor', 'origin', 'data', 'published_at'])
      .orderBy('id')
      .execute(),
  )
}

test('an event contains its actor and origin', async () => {
  const userId = newId()
  const actor: Actor = { ...systemActor(newId()), type: 'user', userId, origin: 'import' }
  const id = newId()

  await inTenant(db, actor, (tx) => emit(tx, bookPrinted, { id, version: 3 }, book))

  assert.deepEqual(await eventsOf(actor.tenantId), [
    {
      type: 'book.printed',
      subject_type: 'book',
      subject_id: id,
      subject_version: 3,
      origin: 'import',
      actor: { type: 'user', id: userId },
      data: { title: 'On engines', printed_at: '2026-03-01T09:30:00.000Z' },
      published_at: null,
    },
  ])
})

test('emitMany stores one event per record in order, and none for an empty list', async () => {
  const acme = systemActor(newId())
  const occurrences = ['One', 'Two', 'Three'].map((title) => ({ subject: { id: newId() }, data: { ...book, title } }))

  await inTenant(db, acme, async (tx) => {
    await emitMany(tx, bookPrinted, [])
    await emitMany(tx, bookPrinted, occurrences)
  })

  assert.deepEqual(
    (await eventsOf(acme.tenantId)).map(({ subject_id, data }) => [subject_id, (data as { title: string }).title]),
    occurrences.map(({ subject, data }) => [subject.id, data.title]),
  )
})

test('a rolled-back event is not stored, and events of another tenant are not visible', async () => {
  const [acme, globex] = [systemActor(newId()), systemActor(newId())]
  await inTenant(db, globex, (tx) => emit(tx, bookPrinted, { id: newId() }, book))

  const undone = inTenant(db, acme, async (tx) => {
    await emit(tx, bookPrinted, { id: newId() }, book)
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  assert.deepEqual(await eventsOf(acme.tenantId), [])
})

test('only defined events with valid data can be emitted', async () => {
  const acme = systemActor(newId())
  const lookalike = { ...bookPrinted } as DomainEvent<typeof bookPrinted.data>
  const emitBook = (event: typeof bookPrinted, data: typeof book) =>
    inTenant(db, acme, (tx) => emit(tx, event, { id: newId() }, data))

  await assert.rejects(emitBook(lookalike, book), /is not defined/)
  await assert.rejects(emitBook(bookPrinted, { ...book, title: 7 as never }), /does not match its schema/)
  // @ts-expect-error Only defineEvent can create an event.
  const invented: DomainEvent = { type: 'book.burnt', resource: 'content', description: '', data: Type.Object({}) }
  await assert.rejects(emitBook(invented as never, book), /is not defined/)

  assert.deepEqual(await eventsOf(acme.tenantId), [])
  assert.ok(listDefinedEvents().includes(bookPrinted))
})

test('an event type must be valid and unique', () => {
  const define = (type: string) => defineEvent(type, { resource: 'content', description: '', data: Type.Object({}) })

  assert.throws(() => define('book'), /Invalid event type/)
  assert.throws(() => define('book.page.torn'), /Invalid event type/)
  assert.throws(() => define('book.printed'), /already defined/)
})

test('oversized event data is stored as its id only, but in-transaction subscribers get all of it', async () => {
  const acme = systemActor(newId())
  const received: EventEnvelope[] = []
  registerSubscriptions(db, [
    subscribe(bookPrinted, 'test.reader', async (_, event) => void received.push(event), { inTransaction: true }),
  ])
  const id = newId()
  const title = 'é'.repeat(40_000)

  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id }, { ...book, title }))

  assert.deepEqual((await eventsOf(acme.tenantId))[0]?.data, { truncated: true, id })
  assert.deepEqual(
    received.map(({ data }) => data),
    [{ title, printed_at: '2026-03-01T09:30:00.000Z' }],
  )
  registerSubscriptions(db, [])
})

test('an in-transaction subscriber can make further changes or abort the transaction', async () => {
  const [acme, globex] = [systemActor(newId()), systemActor(newId())]
  const bookShelved = defineEvent('book.shelved', { resource: 'content', description: '', data: Type.Object({}) })
  const shelving = subscribe(
    bookPrinted,
    'test.shelf',
    async (tx, { subject, data }) => {
      if (data.title === 'Heresies') throw conflict('forbidden_book', 'This book may not be printed.')
      await emit(tx, bookShelved, { id: subject.id }, {})
    },
    { inTransaction: true },
  )
  registerSubscriptions(db, [shelving])
  const id = newId()

  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id }, book))
  const rejected = inTenant(db, globex, (tx) => emit(tx, bookPrinted, { id }, { ...book, title: 'Heresies' }))

  await assert.rejects(rejected, { code: 'forbidden_book' })
  assert.deepEqual((await eventsOf(acme.tenantId)).map(({ type }) => type).sort(), ['book.printed', 'book.shelved'])
  assert.deepEqual(await eventsOf(globex.tenantId), [])
  registerSubscriptions(db, [])
})

test('an in-transaction subscriber gets all events that are emitted together in one call', async () => {
  const acme = systemActor(newId())
  const calls: string[][] = []
  registerSubscriptions(db, [
    subscribeInTransaction(bookPrinted, 'test.batch', async (_, events) => {
      calls.push(events.map(({ subject }) => subject.id))
    }),
  ])
  const ids = Array.from({ length: 500 }, newId)
  const emitAll = () =>
    inTenant(db, acme, (tx) =>
      emitMany(
        tx,
        bookPrinted,
        ids.map((id) => ({ subject: { id }, data: book })),
      ),
    )

  const { statements } = await countStatements(db.pool, emitAll)
  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id: ids[0]! }, book))

  assert.deepEqual(calls, [ids, [ids[0]]])
  assert.ok(statements <= 3, `${statements} statements`)
  registerSubscriptions(db, [])
})

test('consumer names must be unique', () => {
  const twice = [1, 2].map(() => subscribe(bookPrinted, 'test.twin', async () => {}))

  assert.throws(() => registerSubscriptions(db, twice), /same name/)
})

test('an emitted event cannot be changed or deleted; only its data can be redacted', async () => {
  const acme = systemActor(newId())
  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id: newId() }, book))
  const execute = (statement: string) => inTenant(db, acme, (tx) => sql.raw(statement).execute(tx))

  await assert.rejects(execute(`update platform.outbox_events set type = 'book.burnt'`), /permission denied/)
  await assert.rejects(execute('update platform.outbox_events set published_at = now()'), /permission denied/)
  await assert.rejects(execute('delete from platform.outbox_events'), /permission denied/)
  await execute(`update platform.outbox_events set data = '{}'`)

  assert.deepEqual((await eventsOf(acme.tenantId))[0]?.data, {})
})

test('events are stored in the partition of their day', async () => {
  const acme = systemActor(newId())
  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id: newId() }, book))

  const { rows } = await owner.query('select distinct tableoid::regclass::text as part from platform.outbox_events')

  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  assert.deepEqual(rows, [{ part: `platform.outbox_events_${today}` }])
})
