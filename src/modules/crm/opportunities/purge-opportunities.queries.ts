import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 500

/** Removes some deals for good that were deleted before an instant, and tells how many. What others need of them stays. */
export async function purgeSomeOpportunities(tx: TenantTx, before: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from crm.opportunities where deleted_at < ${before} order by deleted_at limit ${sql.lit(batchSize)}
    for update skip locked
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return 0
  // What happened with a person or a company outlives the deal it was about; what was about the deal alone does not.
  await sql`
    delete from crm.activities
    where opportunity_id = any (${ids}::uuid[]) and num_nonnulls(lead_id, contact_id, account_id) = 0
  `.execute(tx)
  await sql`delete from crm.record_tags where entity_type = 'opportunity' and record_id = any (${ids}::uuid[])`.execute(
    tx,
  )
  await sql`delete from crm.opportunities where id = any (${ids}::uuid[])`.execute(tx)
  return ids.length
}
