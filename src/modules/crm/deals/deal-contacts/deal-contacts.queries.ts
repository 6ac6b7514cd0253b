import type { TenantTx } from '#platform/db'

export async function countDealContacts(tx: TenantTx, opportunityId: string): Promise<number> {
  const { contacts } = await tx
    .selectFrom('crm.opportunity_contacts')
    .select(({ fn }) => fn.countAll<number>().as('contacts'))
    .where('opportunity_id', '=', opportunityId)
    .executeTakeFirstOrThrow()
  return contacts
}

export async function findDealContactRole(
  tx: TenantTx,
  opportunityId: string,
  contactId: string,
): Promise<string | undefined> {
  const dealContact = await tx
    .selectFrom('crm.opportunity_contacts')
    .select('role')
    .where('opportunity_id', '=', opportunityId)
    .where('contact_id', '=', contactId)
    .executeTakeFirst()
  return dealContact?.role
}

type DealContactRow = { opportunity_id: string; contact_id: string; role: string }

export async function upsertDealContact(tx: TenantTx, dealContact: DealContactRow): Promise<void> {
  await tx
    .insertInto('crm.opportunity_contacts')
    .values(dealContact)
    .onConflict((conflict) => conflict.constraint('opportunity_contacts_pkey').doUpdateSet({ role: dealContact.role }))
    .execute()
}

export async function deleteDealContactRow(tx: TenantTx, opportunityId: string, contactId: string): Promise<void> {
  await tx
    .deleteFrom('crm.opportunity_contacts')
    .where('opportunity_id', '=', opportunityId)
    .where('contact_id', '=', contactId)
    .execute()
}
