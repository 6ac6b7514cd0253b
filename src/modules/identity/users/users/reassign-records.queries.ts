import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Column with the owner's id. Both names come from the table registry, never from a request. */
export type OwnerColumn = { table: string; column: string }

const batchSize = 500

/** Returns the number of reassigned records, 0 when none are left. Skips records that got another owner in the meantime. */
export async function reassignBatch(
  tx: TenantTx,
  { table, column }: OwnerColumn,
  fromUserId: string,
  toUserId: string,
): Promise<number> {
  const owned = sql`select id from ${sql.table(table)} where ${sql.ref(column)} = ${fromUserId}`
  const { rows } = await sql<{ id: string }>`
    ${owned} and id = any (array(${owned} limit ${sql.lit(batchSize)})) order by id for no key update
  `.execute(tx)
  if (!rows.length) return 0
  const ids = rows.map(({ id }) => id)
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${toUserId} where id = any (${ids}::uuid[])
  `.execute(tx)
  return ids.length
}
