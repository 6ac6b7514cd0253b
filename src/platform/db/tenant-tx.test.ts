import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { operatorIn, systemIn } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { disconnect } from './connect.ts'
import type { DB as Database } from './database.ts'
import { connect } from './index.ts'
import {
  actorOf,
  afterCommit,
  enterTenant,
  inSystem,
  inTenant,
  outsideTenant,
  type SystemTx,
  type TenantTx,
} from './tenant-tx.ts'

const { db, systemDb, owner, database } = await startTestDb()
const newTenant = () => systemIn(newId())

const formTeam = (tx: TenantTx, name = `Team ${newId()}`) =>
  tx
    .insertInto('identity.teams')
    .values({ id: newId(), name, search_text: '' })
    .returning(['tenant_id', 'name'])
    .executeTakeFirstOrThrow()
const listTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select(['tenant_id', 'name']).execute()
const lockTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select('name').forUpdate().execute()

/** How often PostgreSQL said it is ready for more: once per round trip. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
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

test('a read takes one round trip, a transaction one more than it has statements', async () => {
  const acme = newTenant()

  const read = await roundTrips(() => inTenant(db, acme, listTeams))
  const write = await roundTrips(() => inTenant(db, acme, formTeam))
  const readAndWrite = await roundTrips(() =>
    inTenant(db, acme, async (tx) => [await listTeams(tx), await formTeam(tx)]),
  )

  assert.deepEqual([read, write, readAndWrite], [1, 2, 3])
})

test('tenants that share connections never see one another', async () => {
  const tenants = [newTenant(), newTenant(), newTenant()]
  await Promise.all(
    Array.from({ length: 3_000 }, async (_, n) => {
      const tenant = tenants[n % 3]!
      const rows = await inTenant(db, tenant, async (tx) => (n % 10 ? listTeams(tx) : [await formTeam(tx)]))
      assert.ok(rows.every(({ tenant_id }) => tenant_id === tenant.tenantId))
    }),
  )

  const ids = tenants.map(({ tenantId }) => tenantId)
  const { rows } = await owner.query('select count(*)::int from identity.teams where tenant_id = any($1)', [ids])
  assert.deepEqual(rows, [{ count: 300 }])
})

test('whatever happened on a connection, it belongs to no tenant afterwards', async () => {
  const works: ((tx: TenantTx) => Promise<unknown>)[] = [
    listTeams,
    (tx) => formTeam(tx),
    (tx) => tx.selectFrom('identity.teams').select(sql`1 / 0`.as('failure')).execute(),
    (tx) => sql`select 1 / 0`.execute(tx),
    async (tx) => [await formTeam(tx), await sql`no sql`.execute(tx)],
  ]
  for (const work of works) await inTenant(db, newTenant(), work).catch(() => {})

  const client = await db.pool.connect()
  const setting = await client.query(`select current_setting('app.tenant_id', true) as tenant_id`)
  const seen = await client.query('select name from identity.teams')
  const written = client.query(
    `insert into identity.teams (id, name, search_text) values (gen_random_uuid(), 'Nobody', '')`,
  )

  assert.deepEqual(setting.rows, [{ tenant_id: '' }])
  assert.deepEqual(seen.rows, [])
  await assert.rejects(written, /row-level security/)
  client.release()
})

test('a tenant cannot write for another', async () => {
  const [one, other] = [newTenant(), newTenant()]

  const forged = inTenant(db, one, (tx) =>
    sql`insert into identity.teams (tenant_id, id, name, search_text) values (${other.tenantId}, ${newId()}, 'Forged', '')`.execute(
      tx,
    ),
  )

  await assert.rejects(forged, /row-level security/)
  assert.equal((await inTenant(db, one, listTeams)).length, 0)
  await assert.rejects(inTenant(db, systemIn(`' or true --`), listTeams), /uuid/)
})

test('a transaction keeps all of its work or none, also when it swallows a failure', async () => {
  const acme = newTenant()
  const fail = async (tx: TenantTx) => {
    await formTeam(tx)
    throw new Error('changed my mind')
  }
  const swallow = async (tx: TenantTx) => {
    await formTeam(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => {})
  }

  await assert.rejects(inTenant(db, acme, fail), /changed my mind/)
  await assert.rejects(inTenant(db, acme, swallow), { name: 'AbortedTransactionError' })
  assert.deepEqual(await inTenant(db, acme, listTeams), [])
})

test('what is to follow a commit follows a commit, and nothing else', async () => {
  const followed: string[] = []
  await inTenant(db, newTenant(), async (tx) => {
    afterCommit(tx, () => followed.push('committed'))
    await formTeam(tx)
    assert.deepEqual(followed, [])
  })
  const undone = inTenant(db, newTenant(), async (tx) => {
    afterCommit(tx, () => followed.push('undone'))
    await formTeam(tx)
    throw new Error('changed my mind')
  })

  await assert.rejects(undone)
  assert.deepEqual(followed, ['committed'])
})

test('a plain read cannot change anything, and a lock is held until the end', async () => {
  const acme = newTenant()
  await inTenant(db, acme, (tx) => formTeam(tx))

  const sneak = inTenant(db, acme, (tx) =>
    tx
      .selectFrom('identity.teams')
      .select(sql`set_config('app.tenant_id', '', true), nextval('pg_temp.none')`.as('n'))
      .execute(),
  )
  await assert.rejects(sneak)

  await inTenant(db, acme, async (tx) => {
    await lockTeams(tx)
    const rival = owner.query('select from identity.teams where tenant_id = $1 for update nowait', [acme.tenantId])
    await assert.rejects(rival, { code: '55P03' })
  })
})

test('a transaction cannot be used after its end, nor entered twice, nor mistaken for another', async () => {
  const acme = newTenant()
  const escaped = await inTenant(db, acme, async (tx) => ({ tx }))
  await assert.rejects(listTeams(escaped.tx), /has ended/)

  // @ts-expect-error: a transaction is not a database to open another one on
  const nest = (tx: TenantTx) => inTenant(tx, acme, listTeams)
  // @ts-expect-error: what works across tenants is not what a module's query takes
  const mistake = (tx: SystemTx) => formTeam(tx)
  // @ts-expect-error: a plain Kysely transaction is in no tenant
  const forge = (tx: Transaction<Database>) => formTeam(tx)
  assert.ok([nest, mistake, forge])
})

test('a migration goes unnoticed by transactions that ran before it', async () => {
  const acme = newTenant()
  const readAndWrite = async (tx: TenantTx) => [await listTeams(tx), await formTeam(tx), await lockTeams(tx)]
  await Promise.all(Array.from({ length: 8 }, () => inTenant(db, acme, readAndWrite)))

  await owner.query('alter table identity.teams alter column description type varchar(600)')
  await owner.query('alter table identity.teams alter column name type varchar(80)').catch(() => {})
  await Promise.all(Array.from({ length: 8 }, () => inTenant(db, acme, listTeams)))
  await Promise.all(Array.from({ length: 8 }, () => inTenant(db, acme, readAndWrite)))

  assert.equal((await inTenant(db, acme, listTeams)).length, 16)
})

test('columns whose type a migration changed are read as what they have become', async () => {
  await owner.query('create table platform.scratch (n integer); insert into platform.scratch values (7)')
  await owner.query('grant select on platform.scratch to app')
  const read = () =>
    outsideTenant(db, async (tx) => (await sql<{ n: unknown }>`select n from platform.scratch`.execute(tx)).rows[0]?.n)
  for (let n = 0; n < 8; n++) assert.equal(await read(), 7)

  await owner.query('alter table platform.scratch alter column n type text')

  assert.deepEqual(
    await Promise.all(Array.from({ length: 16 }, read)),
    Array.from({ length: 16 }, () => '7'),
  )
  await owner.query('drop table platform.scratch')
})

test('a server that restarts costs the transactions that were open, and no others', async () => {
  const acme = newTenant()
  const own = connect(database.appUrl, { max: 2 })
  const cutOff = inTenant(own, acme, async (tx) => {
    await formTeam(tx)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app' and datname = current_database()`,
    )
    await formTeam(tx)
  })

  await assert.rejects(cutOff)
  while (own.pool.totalCount > 0 || db.pool.totalCount > 0) await sleep(10)
  assert.deepEqual(await inTenant(own, acme, listTeams), [])
  await disconnect(own)
})

test('a value that cannot be sent spoils neither its statement nor its connection', async () => {
  const acme = newTenant()
  const send = (value: unknown) => inTenant(db, acme, (tx) => sql`select ${value}::jsonb as value`.execute(tx))
  await send({ n: 1 })

  await assert.rejects(send({ n: 1n }), TypeError)

  assert.deepEqual((await send({ n: 2 })).rows, [{ value: { n: 2 } }])
})

test('a connection keeps a bounded number of prepared statements', async () => {
  const acme = newTenant()
  const own = connect(database.appUrl, { max: 1 })
  const select = (n: number) => inTenant(own, acme, (tx) => sql`select ${sql.lit(n)}::integer as n`.execute(tx))
  for (let n = 0; n < 600; n++) await select(n)

  const { rows } = await inTenant(own, acme, (tx) =>
    sql<{ n: number }>`select count(*)::integer as n from pg_prepared_statements`.execute(tx),
  )

  assert.ok(rows[0]!.n > 400 && rows[0]!.n < 510, `${rows[0]!.n} statements`)
  assert.deepEqual((await select(0)).rows, [{ n: 0 }])
  await disconnect(own)
})

test('values arrive as what they are', async () => {
  const { rows } = await outsideTenant(db, (tx) =>
    sql<Record<string, unknown>>`
      select 9007199254740991::bigint as money, '2026-03-01'::date as day, '2026-03-01T09:30:00.123Z'::timestamptz as instant,
        '1900-01-01T00:00:00Z'::timestamptz as old, null::text as nothing, '{"a":[1]}'::jsonb as document, array['x'] as list,
        true as yes, 1.50::numeric as exact
    `.execute(tx),
  )

  assert.deepEqual(rows[0], {
    money: 9007199254740991,
    day: '2026-03-01',
    instant: new Date('2026-03-01T09:30:00.123Z'),
    old: new Date('1900-01-01T00:00:00Z'),
    nothing: null,
    document: { a: [1] },
    list: ['x'],
    yes: true,
    exact: '1.50',
  })
  await assert.rejects(
    outsideTenant(db, (tx) => sql`select 9007199254740993::bigint as n`.execute(tx)),
    /does not fit/,
  )
})

test('work across tenants sees a tenant only after entering it, and then no other', async () => {
  const [one, other] = [newTenant(), newTenant()]
  await inTenant(db, one, (tx) => formTeam(tx, 'One'))
  await inTenant(db, other, (tx) => formTeam(tx, 'Other'))

  const seen = await inSystem(systemDb, async (system) => {
    const before = await system.selectFrom('identity.teams').select('name').execute()
    const tx = await enterTenant(system, operatorIn(one.tenantId))
    assert.equal(actorOf(tx).type, 'operator')
    await assert.rejects(enterTenant(system, other), /entered a tenant already/)
    return [before, await listTeams(tx)]
  })

  assert.deepEqual(seen, [[], [{ tenant_id: one.tenantId, name: 'One' }]])
})
