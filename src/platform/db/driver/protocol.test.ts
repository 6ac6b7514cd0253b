// The messages that the driver sends through pg, and what pg makes of the replies. A new version of pg must pass this file.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#platform/ids'
import { startTestDb, waitUntil } from '#testing'
import { closePool, createTransactionPool, preamblesForTenant, runTransaction } from './index.ts'
import { startProtocolRecorder } from './protocol-recorder.stand-in.ts'
import type { OpenTransaction } from './transaction.ts'

type Tx = OpenTransaction['tx']

const { database, owner } = await startTestDb()
const recorder = await startProtocolRecorder(database.appUrl)
const pool = createTransactionPool(recorder.urlOf(database.appUrl), { max: 1, waitMs: 10_000 })
after(async () => {
  await closePool(pool)
  await recorder.stop()
})

const acme = newId()
const run = <T>(work: (tx: Tx) => Promise<T>) =>
  runTransaction(pool, preamblesForTenant(acme, 'request'), ({ tx }) => work(tx))
const listTeams = (tx: Tx) => tx.selectFrom('identity.teams').select('name').orderBy('name').execute()
const insertTeam = (tx: Tx, name: string) =>
  tx.insertInto('identity.teams').values({ id: newId(), name, search_text: '' }).executeTakeFirstOrThrow()
const divideByZero = (tx: Tx) => sql`select 1 / 0`.execute(tx)
const getPid = async (tx: Tx) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]!.pid

const unprepared = ['Parse', 'Bind', 'Describe', 'Execute', 'Sync']
const readOnly = ['Bind read_in_tenant', 'Execute']
const readWrite = ['Bind begin', 'Execute', 'Bind enter_tenant', 'Execute']

beforeEach(async () => {
  await owner.query('delete from identity.teams where tenant_id = $1', [acme])
  await run(listTeams)
  recorder.takeMessages()
})

test('a plain read is sent with its tenant before one Sync and without a transaction block', async () => {
  await run((tx) => tx.selectFrom('identity.teams').select('id').execute())

  assert.deepEqual(recorder.takeMessages(), [...readOnly, ...unprepared])
})

test('the first statement that writes is sent with begin and its tenant, later ones alone, then the commit', async () => {
  const result = await run(async (tx) => {
    await sql`select 1 as one`.execute(tx)
    return await sql<{ two: number }>`select 2 as two`.execute(tx)
  })

  assert.deepEqual(result.rows, [{ two: 2 }])
  assert.deepEqual(recorder.takeMessages(), [...readWrite, ...unprepared, ...unprepared, 'Query commit'])
})

test('a statement is prepared under a name on its second run, and parsed and described no more afterwards', async () => {
  const read = () => run((tx) => tx.selectFrom('identity.teams').select(['id', 'name as label']).execute())
  await run((tx) => insertTeam(tx, 'Ants'))
  recorder.takeMessages()

  const results = [await read(), await read(), await read()]
  const messages = recorder.takeMessages()
  const name = messages.find((message) => message.startsWith('Parse '))!.slice('Parse '.length)

  assert.match(name, /^[\w-]{22}$/)
  assert.deepEqual(messages, [
    ...readOnly,
    ...unprepared,
    ...readOnly,
    `Parse ${name}`,
    `Bind ${name}`,
    'Describe',
    'Execute',
    'Sync',
    ...readOnly,
    `Bind ${name}`,
    'Execute',
    'Sync',
  ])
  assert.deepEqual(
    results.map((rows) => rows.map(({ label }) => label)),
    [['Ants'], ['Ants'], ['Ants']],
  )
})

test('two runs that start together parse a statement once', async () => {
  const read = (tx: Tx) => tx.selectFrom('identity.teams').select('id as twice').execute()
  await run(read)
  recorder.takeMessages()

  await run((tx) => Promise.all([read(tx), read(tx)]))

  assert.equal(recorder.takeMessages().filter((message) => message.startsWith('Parse')).length, 1)
})

test('a statement that cannot be parsed is parsed again on every run', async () => {
  for (let n = 0; n < 3; n++)
    await assert.rejects(
      run((tx) => sql`select no_column`.execute(tx)),
      { code: '42703' },
    )

  const parsed = recorder.takeMessages().filter((message) => message.startsWith('Parse'))
  assert.equal(parsed.length, 3)
})

test('a prepared statement that a migration made stale is closed and runs again', async () => {
  await owner.query('create table public.stale (n integer); insert into public.stale values (7)')
  await owner.query('grant select on public.stale to app')
  const read = () => run(async (tx) => (await sql<{ n: unknown }>`select n from public.stale`.execute(tx)).rows)
  await read()
  await read()
  const name = recorder
    .takeMessages()
    .findLast((message) => message.startsWith('Bind '))!
    .slice('Bind '.length)

  await owner.query('alter table public.stale alter column n type text')
  const rows = await read()
  const messages = recorder.takeMessages()

  assert.deepEqual(rows, [{ n: '7' }])
  assert.ok(messages.includes(`Close ${name}`), messages.join(', '))
  assert.ok(messages.indexOf(`Bind ${name}`) < messages.indexOf(`Close ${name}`))
})

test('statements that start together are sent before the first reply, in their order, each with its Sync', async () => {
  recorder.holdReplies()
  const running = run((tx) => Promise.all([insertTeam(tx, 'Ants'), insertTeam(tx, 'Bees'), listTeams(tx)]))
  await waitUntil(() => recorder.countSyncs() === 3)
  const pipelined = recorder.takeMessages()
  recorder.releaseReplies()
  const [, , teams] = await running

  assert.deepEqual(pipelined.slice(0, 4), readWrite)
  assert.deepEqual(
    pipelined.filter((message) => message === 'Sync' || message.startsWith('Execute')),
    ['Execute', 'Execute', 'Execute', 'Sync', 'Execute', 'Sync', 'Execute', 'Sync'],
  )
  assert.deepEqual(teams, [{ name: 'Ants' }, { name: 'Bees' }])
  assert.deepEqual(recorder.takeMessages(), ['Query commit'])
})

test('results belong to their statements, without those that opened the transaction', async () => {
  const [inserted, updated, teams] = await run((tx) =>
    Promise.all([
      insertTeam(tx, 'Ants'),
      tx.updateTable('identity.teams').set({ name: 'Bees' }).executeTakeFirstOrThrow(),
      listTeams(tx),
    ]),
  )

  assert.equal(inserted.numInsertedOrUpdatedRows, 1n)
  assert.equal(updated.numUpdatedRows, 1n)
  assert.deepEqual(teams, [{ name: 'Bees' }])
})

test('an error in the middle fails the later statements of its transaction, which is rolled back', async () => {
  const codes: unknown[] = []
  const failed = run(async (tx) => {
    const statements = [insertTeam(tx, 'Ants'), divideByZero(tx), insertTeam(tx, 'Bees'), sql`no sql`.execute(tx)]
    for (const result of await Promise.allSettled(statements))
      codes.push(result.status === 'rejected' ? result.reason.code : result.status)
  })

  await assert.rejects(failed, { name: 'AbortedTransactionError' })
  assert.deepEqual(codes, ['fulfilled', '22012', '25P02', '42601'])
  assert.deepEqual(await run(listTeams), [])
  assert.equal(pool.totalCount, 1)
})

test('an error of a plain read does not affect the reads that started together with it', async () => {
  const readZero = (tx: Tx) => tx.selectFrom('identity.teams').select(sql`1 / 0`.as('failure')).execute()
  await run((tx) => insertTeam(tx, 'Ants'))

  const [failed, teams] = await run((tx) => Promise.allSettled([readZero(tx), listTeams(tx)]))

  assert.equal(failed.status, 'rejected')
  assert.deepEqual(teams, { status: 'fulfilled', value: [{ name: 'Ants' }] })
})

test('a value that cannot be serialized sends nothing', async () => {
  await assert.rejects(
    run((tx) => sql`select ${{ n: 1n }}::jsonb as value`.execute(tx)),
    TypeError,
  )

  assert.deepEqual(recorder.takeMessages(), [])
  assert.equal(pool.totalCount, 1)
})

test('a cancelled statement fails its transaction and keeps the connection', async () => {
  const pid = await run(getPid)
  const sleeping = run((tx) => Promise.allSettled([sql`select pg_sleep(60)`.execute(tx), insertTeam(tx, 'Ants')]))
  const isSleeping = `select from pg_stat_activity where pid = $1 and state = 'active' and wait_event = 'PgSleep'`
  await waitUntil(async () => (await owner.query(isSleeping, [pid])).rows.length === 1)

  await owner.query('select pg_cancel_backend($1)', [pid])
  await assert.rejects(sleeping, { name: 'AbortedTransactionError' })

  assert.deepEqual(await run(listTeams), [])
  assert.equal(await run(getPid), pid)
})

test('a lost connection fails all statements in flight, and the next transaction opens another one', async () => {
  const pid = await run(getPid)
  recorder.takeMessages()
  recorder.holdReplies()
  const settled: PromiseSettledResult<unknown>[] = []
  const running = run(async (tx) => {
    settled.push(...(await Promise.allSettled([insertTeam(tx, 'Ants'), insertTeam(tx, 'Bees'), listTeams(tx)])))
  })
  await waitUntil(() => recorder.countSyncs() === 3)
  recorder.disconnect()

  await assert.rejects(running)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.deepEqual(await run(listTeams), [])
  assert.notEqual(await run(getPid), pid)
})

test('a connection that is terminated between two statements fails the transaction', async () => {
  const failed = run(async (tx) => {
    await insertTeam(tx, 'Ants')
    await owner.query('select pg_terminate_backend($1)', [await getPid(tx)])
    await listTeams(tx)
  })

  await assert.rejects(failed)
  assert.deepEqual(await run(listTeams), [])
})
