import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 500

/**
 * Removes some accounts for good that were deleted before an instant, and tells how many. One that a deal was made with stays
 * as long as the deal does; contacts no longer know where they worked.
 */
export async function purgeSomeAccounts(tx: TenantTx, before: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from crm.accounts where deleted_at < ${before}
      and not exists (select from crm.opportunities where account_id = crm.accounts.id)
    order by deleted_at limit ${sql.lit(batchSize)}
    for update skip locked
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return 0
  await sql`
    delete from crm.activities
    where account_id = any (${ids}::uuid[]) and num_nonnulls(lead_id, contact_id, opportunity_id) = 0
  `.execute(tx)
  await sql`delete from crm.record_tags where entity_type = 'account' and record_id = any (${ids}::uuid[])`.execute(tx)
  await sql`delete from crm.field_provenance where entity_type = 'account' and entity_id = any (${ids}::uuid[])`.execute(
    tx,
  )
  await sql`delete from crm.accounts where id = any (${ids}::uuid[])`.execute(tx)
  return ids.length
}
