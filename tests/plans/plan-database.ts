import type pg from 'pg'
import { fillRecords } from '../../bench/big/fill.ts'
import * as records from '../../bench/big/records.ts'
import { buildCall } from '../matrix/calls.ts'
import { fixtures, kinds } from '../matrix/fixtures.ts'
import { createTenant } from '../matrix/matrix-app.ts'
import type { MatrixTenant, TestApp } from '../matrix/matrix-tenant.ts'
import type { Route } from '../matrix/routes.ts'
import { copyRows, copySetup, keptTables } from './copy-rows.ts'
import { copiesOf, type PlanSize } from './size.ts'

export type PlanTenant = MatrixTenant & { name: string; leads: number }

/** Fills every table of workspaces of very different size, and of many other small ones. */
export async function fillPlanDatabase(
  test: TestApp,
  reads: readonly Route[],
  { others, ...leadsByName }: PlanSize,
): Promise<PlanTenant[]> {
  const tenants: PlanTenant[] = []
  for (const [name, leads] of Object.entries(leadsByName))
    tenants.push({ ...(await createTenant(test, name)), name, leads })
  for (const tenant of tenants) await createAllRecords(tenant, reads)
  const client = await test.owner.connect()
  try {
    await client.query(`set maintenance_work_mem = '1GB'`)
    await client.query(records.setup)
    await client.query(copySetup)
    for (const { workspace, leads } of tenants)
      await client.query('insert into workspace values ($1, $2, $3, 20)', [workspace.id, workspace.slug, leads])
    await client.query(
      `insert into workspace select gen_random_uuid(), 'other-' || n, $1::integer, 3 from generate_series(1, $2::integer) n`,
      [leadsByName.small, others],
    )
    await fillRecords({ owner: client, db: test.db, report: () => {} })
    await copyFixtures(client, tenants, Object.keys(test.services.registry.tables))
    await changeRows(client)
  } finally {
    client.release(true)
  }
  return tenants
}

/** Creates the records that reads refer to before the long fill, because some require a recent sign-in. */
async function createAllRecords(tenant: MatrixTenant, reads: readonly Route[]): Promise<void> {
  for (const kind of Object.keys(kinds)) await tenant.sharedRecord(kind)
  for (const route of reads) await buildCall(route, fixtures[route.name]!, tenant)
}

async function copyFixtures(
  client: pg.ClientBase,
  tenants: readonly PlanTenant[],
  tables: readonly string[],
): Promise<void> {
  const own = tenants.map(({ workspace: { id }, leads }) => ({ from: id, to: [id], leads }))
  const smallest = own.at(-1)!
  const { rows: others } = await client.query<{ id: string }>('select id from workspace where id <> all ($1)', [
    own.map(({ from }) => from),
  ])
  // The others come first, because they would also get the copies of the smallest one.
  const targets = [{ ...smallest, to: others.map(({ id }) => id) }, ...own]
  await client.query('set session_replication_role = replica')
  const errors: string[] = []
  for (const table of tables.filter((name) => !keptTables.has(name)))
    for (const { from, to, leads } of targets) {
      const copied = copyRows(client, { table, from, to, copiesOf: (name) => copiesOf(name, leads) })
      await copied.catch((error) => errors.push(`${table}: ${error.message} ${error.detail}`))
    }
  if (errors.length) throw new Error(errors.join('\n'))
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}

/** Changes and deletes rows without a vacuum, so that some pages are not visible to all and indexes have dead entries. */
async function changeRows(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    update crm.leads set updated_at = updated_at + interval '1 second' where get_byte(uuid_send(id), 15) % 10 = 0;
    delete from crm.leads where get_byte(uuid_send(id), 15) % 10 = 1 and company_key like 'company %';
    set session_replication_role = origin`)
}
