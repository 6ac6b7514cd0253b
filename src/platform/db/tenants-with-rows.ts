import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from './database.ts'
import type { SystemTx } from './tenant-tx.ts'

/** Lists tenants with rows in a table, one index lookup per tenant however many rows it has. */
export async function listTenantsWithRows(
  tx: SystemTx,
  table: keyof DB,
  condition: RawBuilder<SqlBool> = sql`true`,
): Promise<string[]> {
  const rowsOf = sql.table(table)
  const { rows } = await sql<{ tenant_id: string }>`
    with recursive found as (
      (select tenant_id from ${rowsOf} where ${condition} order by tenant_id limit 1)
      union all
      select (select tenant_id from ${rowsOf} where ${condition} and tenant_id > found.tenant_id order by tenant_id limit 1)
      from found where found.tenant_id is not null
    )
    select tenant_id from found where tenant_id is not null
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}
