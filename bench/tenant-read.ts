// What a tenant costs: the same statement bare, through inTenant, and in the transaction one would write with stock Kysely.
import assert from 'node:assert/strict'
import { type CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { systemIn } from '#platform/access'
import { type Database, inTenant, type TenantTx } from '#platform/db'
import { compare } from './measure.ts'
import { openPeople } from './people.ts'

export const columns = [
  'id',
  'email',
  'name',
  'role',
  'status',
  'title',
  'timezone',
  'manager_id',
  'created_at',
] as const

type Read = {
  title: string
  build(tx: TenantTx | Transaction<Database>, id: string): { execute(): Promise<unknown>; compile(): CompiledQuery }
  /** The same statement with the tenant as its last value, since nothing else would bind it to one. */
  bare: string
  values(id: string): unknown[]
}

export async function compareTenantRead({ title, build, bare, values }: Read): Promise<void> {
  const people = await openPeople()
  const actor = systemIn(people.tenantId)
  const stock = new Kysely<Database>({ dialect: new PostgresDialect({ pool: people.stockPool }) })
  let turn = 0
  const nextId = () => people.ids[turn++ % people.ids.length]!
  const compiled = await inTenant(people.db, actor, async (tx) => build(tx, nextId()).compile())

  const [id] = people.ids as [string]
  const { rows } = await people.bare.pool.query(bare, [...values(id), people.tenantId])
  assert.deepEqual(await inTenant(people.db, actor, (tx) => build(tx, id).execute()), rows)
  assert.ok(rows.length > 0)

  console.log(title)
  const [, built] = await compare([
    {
      name: 'bare named statement, no row-level security',
      run: () => people.bare.pool.query({ name: title, text: bare, values: [...values(nextId()), people.tenantId] }),
    },
    {
      name: 'inTenant, built by Kysely every time',
      run: () => inTenant(people.db, actor, (tx) => build(tx, nextId()).execute()),
    },
    {
      name: 'inTenant, compiled once',
      run: () => inTenant(people.db, actor, (tx) => tx.executeQuery({ ...compiled, parameters: values(nextId()) })),
    },
    {
      name: 'stock Kysely transaction with set_config',
      run: () =>
        stock.transaction().execute(async (tx) => {
          await sql`select set_config('app.tenant_id', ${people.tenantId}, true)`.execute(tx)
          await build(tx, nextId()).execute()
        }),
    },
  ])
  await people.close()
  console.log(`ratio: ${built!.toFixed(2)}`)
}
