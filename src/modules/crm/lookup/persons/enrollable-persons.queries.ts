import { type Expression, type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Facts that decide whether a person is enrolled, and by whom. */
export type EnrollablePerson = {
  id: string
  kind: 'lead' | 'contact'
  lead_status: string | null
  email_key: string | null
  owner_id: string | null
  processing_restricted: boolean
}

/** Leaves out unknown and deleted records. */
export async function listEnrollablePersons(
  tx: TenantTx,
  { leadIds, contactIds }: { leadIds: readonly string[]; contactIds: readonly string[] },
): Promise<EnrollablePerson[]> {
  const [leads, contacts] = await Promise.all([
    tx
      .selectFrom('crm.leads')
      .select(['id', 'status as lead_status', 'email_key', 'owner_id', 'processing_restricted'])
      .where('id', '=', sql<string>`any(${leadIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
    tx
      .selectFrom('crm.contacts')
      .select(['id', 'email_key', 'owner_id', 'processing_restricted'])
      .where('id', '=', sql<string>`any(${contactIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
  ])
  return [
    ...leads.map((lead) => ({ ...lead, kind: 'lead' as const })),
    ...contacts.map((contact) => ({ ...contact, kind: 'contact' as const, lead_status: null })),
  ]
}

type PersonColumns = { lead_id: Expression<unknown>; contact_id: Expression<unknown> }
type PersonKeys = { email_key: string | null; converted_contact_id: string | null }

/** A row with what identifies the person of a lead or contact, deleted ones included, for a lateral join. */
export const selectPersonKeys = ({ lead_id, contact_id }: PersonColumns): RawBuilder<PersonKeys> => sql<PersonKeys>`
  select coalesce(lead.email_key, contact.email_key) as email_key, lead.converted_contact_id
  from (select ${lead_id} as lead_id, ${contact_id} as contact_id) person
  left join crm.leads lead on lead.id = person.lead_id
  left join crm.contacts contact on contact.id = person.contact_id`
