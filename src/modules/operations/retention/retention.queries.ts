import { sql } from 'kysely'
import { actAsRetention, type Database, type TenantTx, tenantOf } from '#platform/db'
import { idAt } from '#platform/ids'

export type Expiring = { table: keyof Database; column: string; needsRetentionRole: boolean }

/** Deletes some rows whose time is over, and tells how many. Table and column are those a module registered. */
export async function deleteSomeExpired(
  tx: TenantTx,
  { table, column, needsRetentionRole }: Expiring,
  before: Date,
  limit: number,
) {
  if (needsRetentionRole) await actAsRetention(tx)
  const bound = column === 'id' ? sql`${idAt(before)}::uuid` : sql`${before}::timestamptz`
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantOf(tx)} and ctid = any(array(
      select ctid from ${sql.table(table)} where tenant_id = ${tenantOf(tx)} and ${sql.ref(column)} < ${bound} limit ${limit}))
      and ${sql.ref(column)} < ${bound}
  `.execute(tx)
  return Number(numAffectedRows)
}
