import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { inSystem, inTenant, type SystemTx } from '../tenant-tx.ts'
import { createPartitions, createPartitionsBetween, dropPartitions } from './partitions.ts'

const { db, systemDb, owner } = await startTestDb()
const context = {
  inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
  signal: new AbortController().signal,
}
const table = 'platform.readings'
await owner.query(`
  create table platform.readings (
    tenant_id uuid not null,
    event_id text not null,
    occurred_at timestamptz(3) not null,
    primary key (tenant_id, occurred_at, event_id)
  ) partition by range (occurred_at);
  create index readings_event on platform.readings (tenant_id, event_id);
  call platform.isolate_by_tenant('platform.readings');
  call platform.partition_by_time('platform.readings', 'month', ahead => 2, behind => 3)`)

const suffixOf = (month: Date) => month.toISOString().slice(0, 7).replace('-', '')
const monthFromNow = (months: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
}
const monthsFromNow = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => `${table}_${suffixOf(monthFromNow(first + i))}`)

const listPartitions = async (): Promise<string[]> =>
  (
    await owner.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
      [table],
    )
  ).rows.map(({ name }) => name)

const write = (tenantId: string, occurredAt: Date) =>
  inTenant(db, systemActor(tenantId), (tx) =>
    sql`insert into platform.readings (event_id, occurred_at) values (${newId()}, ${occurredAt})`.execute(tx),
  )
const countRows = async (tenantId: string) =>
  (
    await inTenant(db, systemActor(tenantId), (tx) =>
      sql<{ count: number }>`select count(*) from platform.readings`.execute(tx),
    )
  ).rows[0]!.count

test('partitions by time exist for some months back and ahead, and there is no default partition', async () => {
  const created = await createPartitions(context)

  assert.ok(created >= 6)
  assert.deepEqual(await listPartitions(), monthsFromNow(-3, 2))
  assert.equal(await createPartitions(context), 0)
  await assert.rejects(write(newId(), monthFromNow(-5)), /no partition of relation/)
})

test('a partition has the bounds of its month in UTC, the indexes of its parent and no access of its own', async () => {
  const acme = newId()
  const start = monthFromNow(-1)
  for (const at of [start, new Date(monthFromNow(0).getTime() - 1)]) await write(acme, at)

  const name = `${table}_${suffixOf(start)}`
  const { rows } = await owner.query(`select count(*)::int from pg_index where indrelid = $1::regclass`, [name])
  assert.equal(rows[0].count, 2)
  const placed = await owner.query('select distinct tableoid::regclass::text as name from platform.readings')
  assert.deepEqual(placed.rows, [{ name }])
  assert.equal(await countRows(acme), 2)
  assert.equal(await countRows(newId()), 0)
  const direct = inTenant(db, systemActor(acme), (tx) => sql`select 1 from ${sql.table(name)}`.execute(tx))
  await assert.rejects(direct, /permission denied/)
})

test('older partitions are created on demand, once, also by concurrent imports', async () => {
  const acme = newId()
  const range = { since: monthFromNow(-8), until: monthFromNow(-6) }

  const created = await Promise.all([1, 2, 3].map(() => createPartitionsBetween(context, table, range)))

  assert.equal(
    created.reduce((sum, count) => sum + count),
    3,
  )
  assert.deepEqual((await listPartitions()).slice(0, 3), monthsFromNow(-8, -6))
  await write(acme, monthFromNow(-8))
  assert.equal(await countRows(acme), 1)
  const ancient = createPartitionsBetween(context, table, { since: new Date('1800-01-01'), until: new Date() })
  await assert.rejects(ancient, /must be between 1970 and 10 years from now/)
})

test('partitions past their retention are dropped with their rows and are created again only on demand', async () => {
  const acme = newId()
  await write(acme, monthFromNow(-2))
  await write(acme, monthFromNow(-1))

  const dropped = await dropPartitions(context, table, monthFromNow(-1))

  assert.equal(dropped, 5)
  assert.equal(await countRows(acme), 1)
  assert.equal(await createPartitions(context), 0)
  assert.deepEqual(await listPartitions(), monthsFromNow(-1, 2))
  await createPartitionsBetween(context, table, { since: monthFromNow(-2), until: monthFromNow(-2) })
  assert.deepEqual(await listPartitions(), monthsFromNow(-2, 2))
})

test('a table that is not partitioned by a time is refused', async () => {
  await assert.rejects(
    owner.query(`create table platform.wrong (id uuid not null) partition by range (id);
      call platform.partition_by_time('platform.wrong', 'day', 1)`),
    /must be partitioned by range of one timestamptz column/,
  )
})
