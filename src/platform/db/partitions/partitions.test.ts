import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { minIdAt, newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { inSystem, inTenant, type SystemTx, type TenantTx } from '../tenant-tx.ts'
import { createPartitions, dropPartitions } from './partitions.ts'

const { db, systemDb, owner } = await startTestDb()
const context = {
  inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
  signal: new AbortController().signal,
}
const tables = ['identity.login_events', 'platform.audit_log', 'platform.event_receipts', 'platform.outbox_events']

const listPartitions = async (table: string): Promise<string[]> =>
  (
    await owner.query('select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass', [
      table,
    ])
  ).rows
    .map(({ name }) => name)
    .sort()

const isCurrent = (partition: string): boolean =>
  new Date()
    .toISOString()
    .replaceAll('-', '')
    .startsWith(partition.match(/_(\d+)$/)![1]!)

async function write(tx: TenantTx): Promise<void> {
  const id = newId()
  await sql`insert into platform.outbox_events (id, type, subject_type, subject_id, actor, origin, data)
    values (${id}, 'book.printed', 'book', 'x', '{}', 'system', '{}')`.execute(tx)
  await sql`insert into platform.event_receipts (consumer, event_id) values ('test.reader', ${id})`.execute(tx)
  await sql`insert into identity.login_events (id, email_hash, outcome, method, ip)
    values (${id}, '', 'success', 'password', '127.0.0.1')`.execute(tx)
  await sql`insert into platform.audit_log (id, action, resource_type, actor_type, digest, salt)
    values (${id}, 'book.printed', 'book', 'system', decode(repeat('00', 32), 'hex'), decode(repeat('00', 16), 'hex'))`.execute(
    tx,
  )
}

/** Writes until stopped. PostgreSQL fails a writer that waits for a lock for more than a second, however busy the machine is. */
function startWriter() {
  let isStopping = false
  let writes = 0
  const running = (async () => {
    while (!isStopping) {
      await inTenant(db, systemActor(newId()), async (tx) => {
        await sql`set local lock_timeout = '1s'`.execute(tx)
        await write(tx)
      })
      writes++
    }
  })()
  running.catch(() => {})
  return async () => {
    isStopping = true
    await running
    return writes
  }
}

/** Runs `change` beside writers, one of which holds its transaction open for four seconds or until the change is done. */
async function runBesideOpenTransaction(holdMs: number, change: () => Promise<number>) {
  const isWritten = Promise.withResolvers<void>()
  const done = new AbortController()
  const holding = inTenant(db, systemActor(newId()), async (tx) => {
    await write(tx)
    isWritten.resolve()
    await sleep(holdMs, undefined, { signal: done.signal }).catch(() => {})
  })
  await isWritten.promise
  const stops = [startWriter(), startWriter(), startWriter()]
  try {
    const changed = await change()
    return { changed, writes: await Promise.all(stops.map((stop) => stop())) }
  } finally {
    done.abort()
    await holding
  }
}

test('partitions are created beside an open transaction, and no writer waits for more than a second', async () => {
  const before = (await Promise.all(tables.map(listPartitions))).flat()
  const future = before.filter((name) => /_\d+$/.test(name) && !isCurrent(name))
  for (const name of future) await owner.query(`drop table ${name}`)

  const { changed, writes } = await runBesideOpenTransaction(4_000, () => createPartitions(context))

  const created = new Set((await Promise.all(tables.map(listPartitions))).flat())
  assert.equal(future.length, 12)
  assert.ok(changed >= future.length)
  assert.deepEqual(
    before.filter((name) => !created.has(name)),
    [],
  )
  assert.ok(writes.every((count) => count > 0))
})

test('old partitions are dropped beside an open transaction, and no writer waits for more than a second', async () => {
  const day = daysLater(new Date(), -9).toISOString().slice(0, 10)
  await owner.query(`create table platform.event_receipts_old partition of platform.event_receipts
    for values from (platform.id_at('${day} 00:00Z')) to (platform.id_at('${day} 24:00Z'))`)

  const { changed, writes } = await runBesideOpenTransaction(1_500, () =>
    dropPartitions(context, 'platform.event_receipts', daysLater(new Date(), -7)),
  )

  assert.equal(changed, 1)
  assert.ok(!(await listPartitions('platform.event_receipts')).includes('platform.event_receipts_old'))
  assert.ok(writes.every((count) => count > 0))
})

test('a partition is not created while rows of its time are in the default partition', async () => {
  const [name] = (await listPartitions('platform.outbox_events')).slice(-2)
  await owner.query(`drop table ${name}`)
  const [, year, month, dayOfMonth] = name!.match(/_(\d{4})(\d\d)(\d\d)$/)!
  await inTenant(db, systemActor(newId()), (tx) =>
    sql`insert into platform.outbox_events (id, type, subject_type, subject_id, actor, origin, data)
      values (${minIdAt(new Date(`${year}-${month}-${dayOfMonth}T12:00Z`))}, 'book.printed', 'book', 'x', '{}', 'system', '{}')`.execute(
      tx,
    ),
  )

  const created = await createPartitions(context)

  assert.equal(created, 0)
})
