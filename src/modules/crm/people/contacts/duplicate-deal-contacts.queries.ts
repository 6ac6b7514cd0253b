import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** A contact has one role per deal: keeps the role of the surviving contact, else the oldest one. */
export async function deleteDuplicateDealContacts(
  tx: TenantTx,
  fromIds: readonly string[],
  toId: string,
): Promise<void> {
  await sql`
    delete from crm.opportunity_contacts duplicate where contact_id = any (${fromIds}::uuid[]) and exists (
      select from crm.opportunity_contacts kept
      where kept.opportunity_id = duplicate.opportunity_id and (
        kept.contact_id = ${toId}
        or (kept.contact_id = any (${fromIds}::uuid[]) and (kept.created_at, kept.contact_id) < (duplicate.created_at, duplicate.contact_id))))
  `.execute(tx)
}
