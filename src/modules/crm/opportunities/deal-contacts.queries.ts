import type { TenantTx } from '#platform/db'

/** Who has a part in a deal, the longest known first. People who were deleted are left out until they are back. */
export function listDealContacts(tx: TenantTx, opportunityId: string) {
  return tx
    .selectFrom('crm.opportunity_contacts as part')
    .innerJoin('crm.contacts as contact', 'contact.id', 'part.contact_id')
    .select(['part.contact_id', 'part.role', 'part.created_at', 'contact.name', 'contact.email', 'contact.phone'])
    .where('part.opportunity_id', '=', opportunityId)
    .where('contact.deleted_at', 'is', null)
    .orderBy('part.created_at')
    .orderBy('part.contact_id')
    .execute()
}

export async function countDealContacts(tx: TenantTx, opportunityId: string): Promise<number> {
  const { contacts } = await tx
    .selectFrom('crm.opportunity_contacts')
    .select(({ fn }) => fn.countAll<number>().as('contacts'))
    .where('opportunity_id', '=', opportunityId)
    .executeTakeFirstOrThrow()
  return contacts
}

export async function findRole(tx: TenantTx, opportunityId: string, contactId: string): Promise<string | undefined> {
  const part = await tx
    .selectFrom('crm.opportunity_contacts')
    .select('role')
    .where('opportunity_id', '=', opportunityId)
    .where('contact_id', '=', contactId)
    .executeTakeFirst()
  return part?.role
}

type Part = { opportunity_id: string; contact_id: string; role: string }

export async function storeDealContact(tx: TenantTx, part: Part): Promise<void> {
  await tx
    .insertInto('crm.opportunity_contacts')
    .values(part)
    .onConflict((conflict) => conflict.constraint('opportunity_contacts_pkey').doUpdateSet({ role: part.role }))
    .execute()
}

export async function deleteDealContact(tx: TenantTx, opportunityId: string, contactId: string): Promise<void> {
  await tx
    .deleteFrom('crm.opportunity_contacts')
    .where('opportunity_id', '=', opportunityId)
    .where('contact_id', '=', contactId)
    .execute()
}

/** Everybody a deal is made with. */
export async function peopleOf(
  tx: TenantTx,
  { id, primary_contact_id }: { id: string; primary_contact_id: string | null },
): Promise<string[]> {
  const parts = await tx
    .selectFrom('crm.opportunity_contacts')
    .select('contact_id')
    .where('opportunity_id', '=', id)
    .execute()
  const others = parts.map(({ contact_id }) => contact_id)
  return [...new Set(primary_contact_id ? [primary_contact_id, ...others] : others)]
}
