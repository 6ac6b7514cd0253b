import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Column with the owner's id. Both names come from the table registry, never from a request. */
export type OwnerColumn = { table: string; column: string }

const batchSize = 500

/** Returns the number of reassigned records, 0 when none are left. Records that got another owner in the meantime are skipped. */
export async function reassignBatch(
  tx: TenantTx,
  { table, column }: OwnerColumn,
  fromUserId: string,
  toUserId: string,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${toUserId}
    where ${sql.ref(column)} = ${fromUserId}
      and id = any(array(select id from ${sql.table(table)} where ${sql.ref(column)} = ${fromUserId} limit ${batchSize}))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
