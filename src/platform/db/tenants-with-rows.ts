import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from './database.ts'
import type { SystemTx } from './tenant-tx.ts'

/**
 * Lists tenants with rows in a table, one index lookup per tenant however many rows it has. Of several indexes, only one whose columns
 * begin with `tenant_id` and `indexColumn` is used.
 */
export async function listTenantsWithRows(
  tx: SystemTx,
  table: keyof DB,
  condition: RawBuilder<SqlBool> = sql`true`,
  indexColumn?: string,
): Promise<string[]> {
  const rowsOf = sql.table(table)
  const order = indexColumn ? sql`tenant_id, ${sql.ref(indexColumn)}` : sql`tenant_id`
  const { rows } = await sql<{ tenant_id: string }>`
    with recursive found as (
      (select tenant_id from ${rowsOf} where ${condition} order by ${order} limit 1)
      union all
      select (select tenant_id from ${rowsOf} where ${condition} and tenant_id > found.tenant_id order by ${order} limit 1)
      from found where found.tenant_id is not null
    )
    select tenant_id from found where tenant_id is not null
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}

type ListTenants = (tx: SystemTx) => Promise<string[]>

/** Lists the tenants of all lists, read as the role that sees the columns of their conditions across tenants. */
export async function listTenantsAsRetention(tx: SystemTx, ...lists: readonly ListTenants[]): Promise<string[]> {
  const tenantIds = new Set<string>()
  await sql`set local role app_retention`.execute(tx)
  for (const list of lists) for (const id of await list(tx)) tenantIds.add(id)
  await sql`set local role none`.execute(tx)
  return [...tenantIds]
}

/** A period and the one of the same length before it, which ends where the period begins. */
export type ComparedPeriod = { from: Date; to: Date; previousFrom: Date }

type Filter = RawBuilder<SqlBool>

export const isInPeriod = (column: string, { from, to }: ComparedPeriod): Filter =>
  sql<SqlBool>`${sql.ref(column)} >= ${from} and ${sql.ref(column)} <= ${to}`

export const isInPreviousPeriod = (column: string, { from, previousFrom }: ComparedPeriod): Filter =>
  sql<SqlBool>`${sql.ref(column)} >= ${previousFrom} and ${sql.ref(column)} < ${from}`

/** Matches rows of the ids; null stands for all rows. */
export const isAnyOf = (column: string, ids: readonly string[] | null): Filter =>
  ids === null ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = any (${ids}::uuid[])`
