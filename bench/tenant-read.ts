// Measures the cost of tenant isolation: the same statement without it, through inTenant, and in a stock Kysely transaction.
import assert from 'node:assert/strict'
import { type CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { systemActor } from '#platform/access'
import { type Database, inTenant, type TenantTx } from '#platform/db'
import { compareVariants } from './measure.ts'
import { openUsersDatabase } from './users-database.ts'

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

type TenantRead = {
  title: string
  build(tx: TenantTx | Transaction<Database>, id: string): { execute(): Promise<unknown>; compile(): CompiledQuery }
  /** The same statement with an explicit tenant condition as its last parameter. */
  baseline: string
  values(id: string): unknown[]
}

export async function compareTenantRead({ title, build, baseline, values }: TenantRead): Promise<void> {
  const usersDatabase = await openUsersDatabase()
  const actor = systemActor(usersDatabase.tenantId)
  const stock = new Kysely<Database>({ dialect: new PostgresDialect({ pool: usersDatabase.stockPool }) })
  let nextIndex = 0
  const nextId = () => usersDatabase.ids[nextIndex++ % usersDatabase.ids.length]!
  const compiled = await inTenant(usersDatabase.db, actor, async (tx) => build(tx, nextId()).compile())

  const [id] = usersDatabase.ids as [string]
  const { rows } = await usersDatabase.ownerDb.pool.query(baseline, [...values(id), usersDatabase.tenantId])
  assert.deepEqual(await inTenant(usersDatabase.db, actor, (tx) => build(tx, id).execute()), rows)
  assert.ok(rows.length > 0)

  console.log(title)
  const [, ratio] = await compareVariants([
    {
      name: 'named statement without row-level security',
      run: () =>
        usersDatabase.ownerDb.pool.query({
          name: title,
          text: baseline,
          values: [...values(nextId()), usersDatabase.tenantId],
        }),
    },
    {
      name: 'inTenant, built by Kysely on every call',
      run: () => inTenant(usersDatabase.db, actor, (tx) => build(tx, nextId()).execute()),
    },
    {
      name: 'inTenant, compiled once',
      run: () =>
        inTenant(usersDatabase.db, actor, (tx) => tx.executeQuery({ ...compiled, parameters: values(nextId()) })),
    },
    {
      name: 'stock Kysely transaction with set_config',
      run: () =>
        stock.transaction().execute(async (tx) => {
          await sql`select set_config('app.tenant_id', ${usersDatabase.tenantId}, true)`.execute(tx)
          await build(tx, nextId()).execute()
        }),
    },
  ])
  await usersDatabase.close()
  console.log(`ratio: ${ratio!.toFixed(2)}`)
}
