import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestDb, waitUntil } from '#testing'
import { inSnapshot, inTenant, poolUsage, type SnapshotTx, streamRows, type TenantTx } from '../index.ts'

const { db, owner } = await startTestDb()
const newTenant = () => systemActor(newId())
type Tenant = ReturnType<typeof newTenant>

const insertTeam = (tenant: Tenant, name: string) =>
  inTenant(db, tenant, (tx) => tx.insertInto('identity.teams').values({ id: newId(), name, search_text: '' }).execute())
const teamNames = (tx: TenantTx) => tx.selectFrom('identity.teams').select('name').orderBy('name')
const listNames = async (tx: TenantTx) => (await teamNames(tx).execute()).map(({ name }) => name)
const seriesTo = (count: number) => sql<{ n: number }>`select n::int from generate_series(1, ${count}::int) n`

const countSnapshots = async () =>
  (
    await owner.query(`select count(*)::int from pg_stat_activity
      where datname = current_database() and usename = 'app' and backend_xmin is not null`)
  ).rows[0].count

test('all statements of a snapshot see the same state, and only of their tenant', async () => {
  const [tenant, other] = [newTenant(), newTenant()]
  await insertTeam(tenant, 'One')
  await insertTeam(other, 'Foreign')

  const seen = await inSnapshot(db, tenant, async (tx) => {
    const before = await listNames(tx)
    await Promise.all([insertTeam(tenant, 'Two'), insertTeam(other, 'Foreign two')])
    const streamed: string[] = []
    for await (const rows of streamRows(tx, teamNames(tx))) streamed.push(...rows.map(({ name }) => name))
    return [before, await listNames(tx), streamed]
  })

  assert.deepEqual(seen, [['One'], ['One'], ['One']])
  assert.deepEqual(await inTenant(db, tenant, listNames), ['One', 'Two'])
})

test('a snapshot cannot write', async () => {
  const writes = [
    (tx: SnapshotTx) => tx.insertInto('identity.teams').values({ id: newId(), name: 'x', search_text: '' }).execute(),
    (tx: SnapshotTx) => sql`create temporary table x (y int)`.execute(tx),
    (tx: SnapshotTx) => teamNames(tx).forUpdate().execute(),
  ]
  for (const write of writes)
    await assert.rejects(inSnapshot<unknown>(db, newTenant(), write), /cannot execute .* in a read-only transaction/)
})

test('rows are streamed in batches, and streams can be nested', async () => {
  const sizes = await inSnapshot(db, newTenant(), async (tx) => {
    const sizes: number[][] = []
    for await (const rows of streamRows(tx, seriesTo(5), { batchSize: 2 })) {
      const inner: number[] = []
      for await (const more of streamRows(tx, sql`select n::text, 'x' as y from generate_series(1, 4) n`, {
        batchSize: 4,
      }))
        inner.push(more.length)
      sizes.push([rows.length, ...inner])
    }
    for await (const [row] of streamRows(tx, seriesTo(1_000_000))) if (row?.n === 1) break
    for await (const rows of streamRows(tx, seriesTo(0))) sizes.push([rows.length])
    return sizes
  })

  assert.deepEqual(sizes, [
    [2, 4],
    [2, 4],
    [1, 4],
  ])
})

test('statements have ten minutes, and the connection has the usual limits afterwards', async () => {
  const settings = sql<{ name: string; setting: string }>`select name, setting from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_isolation') order by name`

  const { rows } = await inSnapshot(db, newTenant(), (tx) => settings.execute(tx))
  const client = await db.openSnapshotPool().connect()
  const usual = await client.query(`select current_setting('statement_timeout') as timeout,
    current_setting('app.tenant_id', true) as tenant_id`)
  client.release()

  assert.deepEqual(
    rows.map(({ setting }) => setting),
    ['60000', '600000', 'repeatable read'],
  )
  assert.deepEqual(usual.rows, [{ timeout: '12s', tenant_id: '' }])
})

test('snapshots use two connections of their own, one per tenant, and the others wait until they are aborted', async () => {
  const [acme, globex, initech] = [newTenant(), newTenant(), newTenant()]
  const release = Promise.withResolvers<void>()
  const started: string[] = []
  const hold = (name: string, tenant: Tenant, signal?: AbortSignal) =>
    inSnapshot(
      db,
      tenant,
      async (tx) => {
        await listNames(tx)
        started.push(name)
        await release.promise
      },
      { signal },
    )
  const abort = new AbortController()
  const holding = [hold('acme 1', acme), hold('acme 2', acme), hold('globex 1', globex)]
  await waitUntil(() => started.length === 2)
  const aborted = hold('initech 1', initech, abort.signal)
  holding.push(hold('globex 2', globex))
  await inTenant(db, newTenant(), listNames)
  abort.abort(new Error('The job is lost.'))

  await assert.rejects(aborted, /The job is lost/)
  assert.deepEqual([started.toSorted(), poolUsage(db).in_use], [['acme 1', 'globex 1'], 0])
  release.resolve()
  await Promise.all(holding)
  assert.deepEqual(started.slice(2).toSorted(), ['acme 2', 'globex 2'])
})

test('an abort ends the transaction, whether it waits for its consumer or for a statement', async () => {
  const works: ((tx: SnapshotTx) => Promise<unknown>)[] = [
    async (tx) => {
      for await (const _ of streamRows(tx, seriesTo(10))) await new Promise(() => {})
    },
    (tx) => sql`select pg_sleep(60)`.execute(tx),
  ]
  for (const work of works) {
    const abort = new AbortController()
    const running = inSnapshot(db, newTenant(), work, { signal: abort.signal })
    running.catch(() => {})
    await waitUntil(async () => (await countSnapshots()) === 1)

    abort.abort(new Error('The client is gone.'))

    await assert.rejects(running, /The client is gone/)
    await waitUntil(async () => (await countSnapshots()) === 0)
    assert.equal(db.openSnapshotPool().totalCount - db.openSnapshotPool().idleCount, 0)
  }
  const late = inSnapshot(db, newTenant(), listNames, { signal: AbortSignal.abort(new Error('Too late.')) })
  await assert.rejects(late, /Too late/)
})

test('a failed statement fails the snapshot with its own error, and the work runs once', async () => {
  let runs = 0
  const failing = inSnapshot(db, newTenant(), async (tx) => {
    runs++
    for await (const _ of streamRows(tx, sql<{ n: number }>`select 1 / (3 - n) as n from generate_series(1, 5) n`));
  })

  await assert.rejects(failing, /division by zero/)
  assert.equal(runs, 1)
})
