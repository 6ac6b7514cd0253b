import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { countStatements, startTestDb } from '#testing'
import { connect, disconnect } from './connect.ts'
import { inTenant, type TenantTx } from './tenant-tx.ts'

const { db, database, owner } = await startTestDb()
const newTenant = () => systemActor(newId())

const insertTeam = (tx: TenantTx, name = `Team ${newId()}`) =>
  tx.insertInto('identity.teams').values({ id: newId(), name, search_text: '' }).execute()
const listTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select('name').execute()

/** Counts ReadyForQuery messages: one per round trip. */
async function countRoundTrips(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const client = await db.pool.connect()
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  const onReady = () => count++
  client.release()
  connection.on('readyForQuery', onReady)
  await work()
  connection.off('readyForQuery', onReady)
  return count
}

test('a read takes one round trip, a writing transaction one more than its statements', async () => {
  const acme = newTenant()

  const read = await countRoundTrips(() => inTenant(db, acme, listTeams))
  const write = await countRoundTrips(() => inTenant(db, acme, insertTeam))
  const readAndWrite = await countRoundTrips(() =>
    inTenant(db, acme, async (tx) => [await listTeams(tx), await insertTeam(tx)]),
  )

  assert.deepEqual([read, write, readAndWrite], [1, 2, 3])
})

test('statements that start together share a round trip and run in the order they started in', async () => {
  const acme = newTenant()
  const names = ['Ants', 'Bees', 'Cats']
  let teams: { name: string }[] = []
  const createTeams = () =>
    inTenant(db, acme, async (tx) => {
      const results = await Promise.all([...names.map((name) => insertTeam(tx, name)), listTeams(tx)])
      teams = results.at(-1) as { name: string }[]
    })

  assert.deepEqual(await countStatements(db.pool, createTeams), { statements: 5, roundTrips: 2 })
  assert.deepEqual(teams.map(({ name }) => name).sort(), names)
  const read = () => inTenant(db, acme, (tx) => Promise.all([listTeams(tx), listTeams(tx)]))
  assert.deepEqual(await countStatements(db.pool, read), { statements: 2, roundTrips: 1 })
})

test('a failure of one of several statements that start together rolls the transaction back', async () => {
  const acme = newTenant()
  const single = connect(database.appUrl, { max: 1 })
  after(() => disconnect(single))
  const readZero = (tx: TenantTx) => tx.selectFrom('identity.teams').select(sql`1 / 0`.as('failure')).execute()
  const failures: ((tx: TenantTx) => Promise<unknown>[])[] = [
    (tx) => [insertTeam(tx), sql`select 1 / 0`.execute(tx), insertTeam(tx), listTeams(tx)],
    (tx) => [sql`select 1 / 0`.execute(tx), insertTeam(tx).then(() => insertTeam(tx))],
    (tx) => [sql`no sql`.execute(tx), sql`no sql`.execute(tx), insertTeam(tx)],
    (tx) => [listTeams(tx).then(() => assert.fail('stopped')), listTeams(tx), insertTeam(tx)],
  ]
  await inTenant(single, acme, insertTeam)

  for (const fail of failures) {
    await assert.rejects(
      inTenant(single, acme, (tx) => Promise.all(fail(tx))),
      /division by zero|no sql|syntax|stopped/,
    )
    assert.equal((await inTenant(single, acme, listTeams)).length, 1)
  }
  await assert.rejects(
    inTenant(single, acme, (tx) => Promise.all([readZero(tx), listTeams(tx)])),
    { code: '22012' },
  )
  assert.equal((await inTenant(single, acme, listTeams)).length, 1)
})

test('statements of jobs may take longer than those of requests, without another round trip', async () => {
  await owner.query(`alter role app in database ${database.name} set statement_timeout = '100ms'`)
  const single = connect(database.appUrl, { max: 1 })
  after(() => disconnect(single))
  const acme = newTenant()
  await inTenant(single, acme, insertTeam)
  const readSlowly = (tx: TenantTx) => tx.selectFrom('identity.teams').select(sql`pg_sleep(0.8)`.as('slept')).execute()
  const sleepAndRead = (tx: TenantTx) =>
    sql<{ limit: string }>`select current_setting('statement_timeout') as limit from pg_sleep(0.8)`.execute(tx)

  await assert.rejects(inTenant(single, acme, sleepAndRead), /statement timeout/)
  const job = await inTenant(single, acme, sleepAndRead, 'job')
  await inTenant(single, acme, readSlowly, 'job')
  await assert.rejects(inTenant(single, acme, sleepAndRead), /statement timeout/)

  assert.deepEqual(job.rows, [{ limit: '1min' }])
  const trips = (work: (tx: TenantTx) => Promise<unknown>) =>
    countStatements(single.pool, () => inTenant(single, acme, work, 'job'))
  assert.deepEqual(
    [await trips(listTeams), await trips(insertTeam)].map(({ roundTrips }) => roundTrips),
    [1, 2],
  )
})
