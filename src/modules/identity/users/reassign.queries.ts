import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** A column that names the owner of a record. The names come from the rules of the tables, never from a request. */
export type OwnerColumn = { table: string; column: string }

const batchSize = 500

/** How many records were handed over; none when there are no more. Whatever got another owner meanwhile stays theirs. */
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
