import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { operatorActor, systemActor } from '#platform/access'
import { mapConcurrently } from '#platform/concurrency'
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
const newTenant = () => systemActor(newId())

const insertTeam = (tx: TenantTx, name = `Team ${newId()}`) =>
  tx
    .insertInto('identity.teams')
    .values({ id: newId(), name, search_text: '' })
    .returning(['tenant_id', 'name'])
    .executeTakeFirstOrThrow()
const listTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select(['tenant_id', 'name']).execute()
const lockTeams = (tx: TenantTx) => tx.selectFrom('identity.teams').select('name').forUpdate().execute()

test('tenants that share connections never see the rows of each other', async () => {
  const tenants = [newTenant(), newTenant(), newTenant()]
  const numbers = Array.from({ length: 3_000 }, (_, n) => n)
  await mapConcurrently(numbers, 40, async (n) => {
    const tenant = tenants[n % 3]!
    const rows = await inTenant(db, tenant, async (tx) => (n % 10 ? listTeams(tx) : [await insertTeam(tx)]))
    assert.ok(rows.every(({ tenant_id }) => tenant_id === tenant.tenantId))
  })

  const ids = tenants.map(({ tenantId }) => tenantId)
  const { rows } = await owner.query('select count(*)::int from identity.teams where tenant_id = any($1)', [ids])
  assert.deepEqual(rows, [{ count: 300 }])
})

test('a connection has no tenant after its transaction, whether it succeeded or failed', async () => {
  const works: ((tx: TenantTx) => Promise<unknown>)[] = [
    listTeams,
    (tx) => insertTeam(tx),
    (tx) => tx.selectFrom('identity.teams').select(sql`1 / 0`.as('failure')).execute(),
    (tx) => sql`select 1 / 0`.execute(tx),
    async (tx) => [await insertTeam(tx), await sql`no sql`.execute(tx)],
  ]
  for (const work of works) await inTenant(db, newTenant(), work).catch(() => {})

  const client = await db.pool.connect()
  const setting = await client.query(`select current_setting('app.tenant_id', true) as tenant_id`)
  const seen = await client.query('select name from identity.teams')
  const written = client.query(
    `insert into identity.teams (id, name, search_text) values (gen_random_uuid(), 'No tenant', '')`,
  )

  assert.deepEqual(setting.rows, [{ tenant_id: '' }])
  assert.deepEqual(seen.rows, [])
  await assert.rejects(written, /row-level security/)
  client.release()
})

test('a tenant cannot write rows of another tenant', async () => {
  const [one, other] = [newTenant(), newTenant()]

  const forged = inTenant(db, one, (tx) =>
    sql`insert into identity.teams (tenant_id, id, name, search_text) values (${other.tenantId}, ${newId()}, 'Forged', '')`.execute(
      tx,
    ),
  )

  await assert.rejects(forged, /row-level security/)
  assert.equal((await inTenant(db, one, listTeams)).length, 0)
  await assert.rejects(inTenant(db, systemActor(`' or true --`), listTeams), /uuid/)
})

test('a transaction is rolled back completely, also if it ignores the error of a statement', async () => {
  const acme = newTenant()
  const fail = async (tx: TenantTx) => {
    await insertTeam(tx)
    throw new Error('changed my mind')
  }
  const swallow = async (tx: TenantTx) => {
    await insertTeam(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => {})
  }

  await assert.rejects(inTenant(db, acme, fail), /changed my mind/)
  await assert.rejects(inTenant(db, acme, swallow), { name: 'AbortedTransactionError' })
  assert.deepEqual(await inTenant(db, acme, listTeams), [])
})

test('after-commit callbacks run after a commit and not after a rollback', async () => {
  const calls: string[] = []
  await inTenant(db, newTenant(), async (tx) => {
    afterCommit(tx, () => calls.push('committed'))
    await insertTeam(tx)
    assert.deepEqual(calls, [])
  })
  const undone = inTenant(db, newTenant(), async (tx) => {
    afterCommit(tx, () => calls.push('undone'))
    await insertTeam(tx)
    throw new Error('changed my mind')
  })

  await assert.rejects(undone)
  assert.deepEqual(calls, ['committed'])
})

test('a plain read is read-only, and a row lock is held until the transaction ends', async () => {
  const acme = newTenant()
  await inTenant(db, acme, (tx) => insertTeam(tx))

  const hiddenWrite = inTenant(db, acme, (tx) =>
    tx
      .selectFrom('identity.teams')
      .select(sql`set_config('app.tenant_id', '', true), nextval('pg_temp.none')`.as('n'))
      .execute(),
  )
  await assert.rejects(hiddenWrite)

  await inTenant(db, acme, async (tx) => {
    await lockTeams(tx)
    const competing = owner.query('select from identity.teams where tenant_id = $1 for update nowait', [acme.tenantId])
    await assert.rejects(competing, { code: '55P03' })
  })
})

test('a transaction cannot be used after its end, nested, or passed as another kind', async () => {
  const acme = newTenant()
  const escaped = await inTenant(db, acme, async (tx) => ({ tx }))
  await assert.rejects(listTeams(escaped.tx), /has ended/)

  // @ts-expect-error: a transaction is not a database handle
  const nest = (tx: TenantTx) => inTenant(tx, acme, listTeams)
  // @ts-expect-error: module queries do not accept a system transaction
  const mistake = (tx: SystemTx) => insertTeam(tx)
  // @ts-expect-error: a plain Kysely transaction has no tenant
  const forge = (tx: Transaction<Database>) => insertTeam(tx)
  assert.ok([nest, mistake, forge])
})

test('connections with prepared statements keep working after a migration', async () => {
  const acme = newTenant()
  const readAndWrite = async (tx: TenantTx) => [await listTeams(tx), await insertTeam(tx), await lockTeams(tx)]
  await Promise.all(Array.from({ length: 8 }, () => inTenant(db, acme, readAndWrite)))

  await owner.query('alter table identity.teams alter column description type varchar(600)')
  await owner.query('alter table identity.teams alter column name type varchar(80)').catch(() => {})
  await Promise.all(Array.from({ length: 8 }, () => inTenant(db, acme, listTeams)))
  await Promise.all(Array.from({ length: 8 }, () => inTenant(db, acme, readAndWrite)))

  assert.equal((await inTenant(db, acme, listTeams)).length, 16)
})

test('columns whose type was changed by a migration are decoded with the new type', async () => {
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

test('terminated connections fail only the open transactions', async () => {
  const acme = newTenant()
  const own = connect(database.appUrl, { max: 2 })
  const interrupted = inTenant(own, acme, async (tx) => {
    await insertTeam(tx)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app' and datname = current_database()`,
    )
    await insertTeam(tx)
  })

  await assert.rejects(interrupted)
  while (own.pool.totalCount > 0 || db.pool.totalCount > 0) await sleep(10)
  assert.deepEqual(await inTenant(own, acme, listTeams), [])
  await disconnect(own)
})

test('a value that cannot be serialized leaves statement and connection usable', async () => {
  const acme = newTenant()
  const send = (value: unknown) => inTenant(db, acme, (tx) => sql`select ${value}::jsonb as value`.execute(tx))
  await send({ n: 1 })

  await assert.rejects(send({ n: 1n }), TypeError)

  assert.deepEqual((await send({ n: 2 })).rows, [{ value: { n: 2 } }])
})

test('a value that cannot be serialized rolls back the statements that started together with it', async () => {
  const register = (tx: SystemTx, type: unknown) =>
    sql`insert into platform.event_consumers (type, consumer) values (${type}, 'test.unsent')`.execute(tx)

  const failed = inSystem(systemDb, (tx) => Promise.all([register(tx, { n: 1n }), register(tx, 'novel.printed')]))

  await assert.rejects(failed, TypeError)
  const { rows } = await owner.query(`select type from platform.event_consumers where consumer = 'test.unsent'`)
  assert.deepEqual(rows, [])
})

test('a connection keeps a bounded number of prepared statements', async () => {
  const acme = newTenant()
  const own = connect(database.appUrl, { max: 1 })
  const select = (n: number) => inTenant(own, acme, (tx) => sql`select ${sql.lit(n)}::integer as n`.execute(tx))
  for (let n = 0; n < 1_200; n++) await select(n >> 1)

  const { rows } = await inTenant(own, acme, (tx) =>
    sql<{ n: number }>`select count(*)::integer as n from pg_prepared_statements`.execute(tx),
  )

  assert.ok(rows[0]!.n > 400 && rows[0]!.n < 510, `${rows[0]!.n} statements`)
  assert.deepEqual((await select(0)).rows, [{ n: 0 }])
  await disconnect(own)
})

test('column values are decoded to the expected types', async () => {
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

test('a system transaction sees the rows of a tenant only after entering it, and no other tenant afterwards', async () => {
  const [one, other] = [newTenant(), newTenant()]
  await inTenant(db, one, (tx) => insertTeam(tx, 'One'))
  await inTenant(db, other, (tx) => insertTeam(tx, 'Other'))

  const seen = await inSystem(systemDb, async (system) => {
    const before = await system.selectFrom('identity.teams').select('name').execute()
    const tx = await enterTenant(system, operatorActor(one.tenantId))
    assert.equal(actorOf(tx).type, 'operator')
    await assert.rejects(enterTenant(system, other), /already entered a tenant/)
    return [before, await listTeams(tx)]
  })

  assert.deepEqual(seen, [[], [{ tenant_id: one.tenantId, name: 'One' }]])
})
