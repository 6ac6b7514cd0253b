import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Actor, systemIn } from '#platform/access'
import { inTenant } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { Timestamp } from '#platform/schema'
import { startTestDb } from '#testing'
import { emit, emitEach } from './emit.ts'
import { type DomainEvent, definedEvents, defineEvent } from './event.ts'
import { type Happened, registerSubscriptions, subscribe } from './subscriptions.ts'

const { db, owner } = await startTestDb()
const bookPrinted = defineEvent('book.printed', {
  resource: 'content',
  description: 'A book was printed.',
  data: Type.Object({ title: Type.String(), printed_at: Timestamp }),
})
const book = { title: 'On engines', printed_at: new Date('2026-03-01T09:30:00Z') }

async function eventsOf(tenantId: string) {
  return await inTenant(db, systemIn(tenantId), (tx) =>
    tx
      .selectFrom('platform.outbox_events')
      .select(['type', 'subject_type', 'subject_id', 'subject_version', 'actor', 'origin', 'data', 'published_at'])
      .orderBy('id')
      .execute(),
  )
}

test('a fact is told with who made it true and where it came from', async () => {
  const userId = newId()
  const actor: Actor = { ...systemIn(newId()), type: 'user', userId, origin: 'import' }
  const id = newId()

  await inTenant(db, actor, (tx) => emit(tx, bookPrinted, { id, version: 3 }, book))

  assert.deepEqual(await eventsOf(actor.tenantId), [
    {
      ...{ type: 'book.printed', subject_type: 'book', subject_id: id, subject_version: 3, origin: 'import' },
      actor: { type: 'user', id: userId },
      data: { title: 'On engines', printed_at: '2026-03-01T09:30:00.000Z' },
      published_at: null,
    },
  ])
})

test('the same fact of many is told of each, in their order, and of none of them if there is none', async () => {
  const acme = systemIn(newId())
  const facts = ['One', 'Two', 'Three'].map((title) => ({ subject: { id: newId() }, data: { ...book, title } }))

  await inTenant(db, acme, async (tx) => {
    await emitEach(tx, bookPrinted, [])
    await emitEach(tx, bookPrinted, facts)
  })

  assert.deepEqual(
    (await eventsOf(acme.tenantId)).map(({ subject_id, data }) => [subject_id, (data as { title: string }).title]),
    facts.map(({ subject, data }) => [subject.id, data.title]),
  )
})

test('a fact that was undone is not told, and nobody hears the facts of another tenant', async () => {
  const [acme, globex] = [systemIn(newId()), systemIn(newId())]
  await inTenant(db, globex, (tx) => emit(tx, bookPrinted, { id: newId() }, book))

  const undone = inTenant(db, acme, async (tx) => {
    await emit(tx, bookPrinted, { id: newId() }, book)
    throw new Error('changed my mind')
  })

  await assert.rejects(undone, /changed my mind/)
  assert.deepEqual(await eventsOf(acme.tenantId), [])
})

test('only what is in the catalogue can be told, and only as the catalogue says', async () => {
  const acme = systemIn(newId())
  const lookalike = { ...bookPrinted } as DomainEvent<typeof bookPrinted.data>
  const told = (event: typeof bookPrinted, data: typeof book) =>
    inTenant(db, acme, (tx) => emit(tx, event, { id: newId() }, data))

  await assert.rejects(told(lookalike, book), /not in the catalogue/)
  await assert.rejects(told(bookPrinted, { ...book, title: 7 as never }), /not what the catalogue says/)
  // @ts-expect-error An event is made by defineEvent and by nothing else.
  const invented: DomainEvent = { type: 'book.burnt', resource: 'content', description: '', data: Type.Object({}) }
  await assert.rejects(told(invented as never, book), /not in the catalogue/)

  assert.deepEqual(await eventsOf(acme.tenantId), [])
  assert.ok(definedEvents().includes(bookPrinted))
})

test('an event is named after a thing and a fact, and defined once', () => {
  const define = (type: string) => defineEvent(type, { resource: 'content', description: '', data: Type.Object({}) })

  assert.throws(() => define('book'), /not the name of an event/)
  assert.throws(() => define('book.page.torn'), /not the name of an event/)
  assert.throws(() => define('book.printed'), /defined twice/)
})

test('of what is too large only the id is kept, but whoever shares the transaction gets it whole', async () => {
  const acme = systemIn(newId())
  const heard: Happened[] = []
  registerSubscriptions([
    subscribe(bookPrinted, 'test.reader', async (_, event) => void heard.push(event), { inTransaction: true }),
  ])
  const id = newId()
  const title = 'é'.repeat(40_000)

  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id }, { ...book, title }))

  assert.deepEqual((await eventsOf(acme.tenantId))[0]?.data, { truncated: true, id })
  assert.deepEqual(
    heard.map(({ data }) => data),
    [{ title, printed_at: '2026-03-01T09:30:00.000Z' }],
  )
  registerSubscriptions([])
})

test('whoever shares the transaction may change more in it, or refuse and undo it all', async () => {
  const [acme, globex] = [systemIn(newId()), systemIn(newId())]
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
  registerSubscriptions([shelving])
  const id = newId()

  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id }, book))
  const refused = inTenant(db, globex, (tx) => emit(tx, bookPrinted, { id }, { ...book, title: 'Heresies' }))

  await assert.rejects(refused, { code: 'forbidden_book' })
  assert.deepEqual((await eventsOf(acme.tenantId)).map(({ type }) => type).sort(), ['book.printed', 'book.shelved'])
  assert.deepEqual(await eventsOf(globex.tenantId), [])
  registerSubscriptions([])
})

test('two consumers cannot have the same name', () => {
  const twice = [1, 2].map(() => subscribe(bookPrinted, 'test.twin', async () => {}))

  assert.throws(() => registerSubscriptions(twice), /same name/)
})

test('a told fact cannot be changed or withdrawn; only its data can be blanked', async () => {
  const acme = systemIn(newId())
  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id: newId() }, book))
  const ask = (statement: string) => inTenant(db, acme, (tx) => sql.raw(statement).execute(tx))

  await assert.rejects(ask(`update platform.outbox_events set type = 'book.burnt'`), /permission denied/)
  await assert.rejects(ask('update platform.outbox_events set published_at = now()'), /permission denied/)
  await assert.rejects(ask('delete from platform.outbox_events'), /permission denied/)
  await ask(`update platform.outbox_events set data = '{}'`)

  assert.deepEqual((await eventsOf(acme.tenantId))[0]?.data, {})
})

test('events lie in the partition of their day', async () => {
  const acme = systemIn(newId())
  await inTenant(db, acme, (tx) => emit(tx, bookPrinted, { id: newId() }, book))

  const { rows } = await owner.query('select distinct tableoid::regclass::text as part from platform.outbox_events')

  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  assert.deepEqual(rows, [{ part: `platform.outbox_events_${today}` }])
})
