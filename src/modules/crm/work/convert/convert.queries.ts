import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function linkLeadActivities(tx: TenantTx, leadId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update crm.activities activity set contact_id = lead.converted_contact_id, account_id = lead.converted_account_id
    from crm.leads lead
    where lead.id = ${leadId} and lead.converted_contact_id is not null
      -- An id array instead of a join, because a join would scan all activities.
      and activity.id = any (array(
        select id from crm.activities where lead_id = ${leadId} and contact_id is null
        order by id limit ${limit} for no key update))
  `.execute(tx)
  return Number(numAffectedRows)
}
