import { sql } from 'kysely'
import { assumeRetentionRole, type Database, type TenantTx, tenantIdOf } from '#platform/db'
import { minIdAt } from '#platform/ids'

export type ExpiringTable = { table: keyof Database; column: string; needsRetentionRole: boolean }

/** Deletes one batch and returns its size. `table` and `column` come from a module's registration, never from a request. */
export async function deleteExpiredRows(
  tx: TenantTx,
  { table, column, needsRetentionRole }: ExpiringTable,
  before: Date,
  limit: number,
) {
  if (needsRetentionRole) await assumeRetentionRole(tx)
  const bound = column === 'id' ? sql`${minIdAt(before)}::uuid` : sql`${before}::timestamptz`
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantIdOf(tx)} and ctid = any(array(
      select ctid from ${sql.table(table)} where tenant_id = ${tenantIdOf(tx)} and ${sql.ref(column)} < ${bound} limit ${limit}))
      and ${sql.ref(column)} < ${bound}
  `.execute(tx)
  return Number(numAffectedRows)
}
