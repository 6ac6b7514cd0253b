import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Locks the contact FOR KEY SHARE, so that it is not purged until the transaction ends. */
export async function lockContactExists(tx: TenantTx, id: string): Promise<boolean> {
  const contact = await tx
    .selectFrom('crm.contacts')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return contact !== undefined
}

export function listDealContacts(tx: TenantTx, opportunityIds: readonly string[]) {
  return tx
    .selectFrom('crm.opportunity_contacts as deal_contact')
    .innerJoin('crm.contacts as contact', 'contact.id', 'deal_contact.contact_id')
    .select(['deal_contact.opportunity_id', 'deal_contact.contact_id', 'deal_contact.role', 'deal_contact.created_at'])
    .select(['contact.name', 'contact.email', 'contact.phone'])
    .where('deal_contact.opportunity_id', '=', sql<string>`any(${opportunityIds}::uuid[])`)
    .where('contact.deleted_at', 'is', null)
    .orderBy('deal_contact.created_at')
    .orderBy('deal_contact.contact_id')
    .execute()
}

export async function listDealContactIds(
  tx: TenantTx,
  { id, primary_contact_id }: { id: string; primary_contact_id: string | null },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm.opportunity_contacts')
    .select('contact_id')
    .where('opportunity_id', '=', id)
    .execute()
  const others = rows.map(({ contact_id }) => contact_id)
  return [...new Set(primary_contact_id ? [primary_contact_id, ...others] : others)]
}
