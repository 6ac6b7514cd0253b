import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 500

/** Removes some contacts for good that were deleted before an instant, and tells how many. What others need of them stays. */
export async function purgeSomeContacts(tx: TenantTx, before: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from crm.contacts where deleted_at < ${before} order by deleted_at limit ${sql.lit(batchSize)}
    for update skip locked
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return 0
  // The timeline of a lead, an account or a deal outlives the contact; what was about the contact alone does not.
  await sql`
    delete from crm.activities
    where contact_id = any (${ids}::uuid[]) and num_nonnulls(lead_id, account_id, opportunity_id) = 0
  `.execute(tx)
  await sql`delete from crm.record_tags where entity_type = 'contact' and record_id = any (${ids}::uuid[])`.execute(tx)
  await sql`delete from crm.field_provenance where entity_type = 'contact' and entity_id = any (${ids}::uuid[])`.execute(
    tx,
  )
  await sql`delete from crm.contacts where id = any (${ids}::uuid[])`.execute(tx)
  return ids.length
}
