import type { TenantTx } from '#platform/db'
import {
  listContactLinks,
  lockAccountsOfPersons,
  lockContactsOfPersons,
  lockLeadsOfPersons,
} from './persons.queries.ts'

/** A lead, a contact, or a converted lead and its contact. */
export type Person = {
  lead_id: string | null
  contact_id: string | null
  lead_created_at: Date | null
  is_mql: boolean
  is_sql: boolean
  is_converted: boolean
}

type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }

/**
 * Locks leads and contacts with their accounts, in the global lock order, and returns the person of each id. Unknown and deleted records
 * are left out. A person who is given as a lead and as a contact is the same object.
 */
export async function lockPersons(tx: TenantTx, { leadIds, contactIds }: PersonIdLists): Promise<Map<string, Person>> {
  const links = contactIds.length ? await listContactLinks(tx, contactIds) : []
  const leads = await lockLeadsOfPersons(tx, unique([...leadIds, ...links.map(({ lead_id }) => lead_id)]))
  const leadById = new Map(leads.map((lead) => [lead.id, lead]))
  await lockAccountsOfPersons(
    tx,
    unique([
      ...leads.map(({ converted_account_id }) => converted_account_id),
      ...links.map(({ account_id }) => account_id),
    ]),
  )
  const contacts = await lockContactsOfPersons(
    tx,
    unique([...contactIds, ...leads.map(({ converted_contact_id }) => converted_contact_id)]),
  )
  const toPerson = (leadId: string | null, contactId: string | null): Person => {
    const lead = leadId === null ? undefined : leadById.get(leadId)
    return {
      lead_id: lead?.id ?? null,
      contact_id: contactId,
      lead_created_at: lead?.created_at ?? null,
      is_mql: lead?.is_mql ?? false,
      is_sql: lead?.is_sql ?? false,
      is_converted: lead?.is_converted ?? false,
    }
  }
  const byContact = new Map(contacts.map(({ id, lead_id }) => [id, toPerson(lead_id, id)]))
  const persons = new Map<string, Person>()
  for (const id of contactIds) if (byContact.has(id)) persons.set(id, byContact.get(id)!)
  for (const id of leadIds) {
    const lead = leadById.get(id)
    if (!lead) continue
    const ofContact = lead.converted_contact_id ? byContact.get(lead.converted_contact_id) : undefined
    if (ofContact && ofContact.lead_id === null) Object.assign(ofContact, toPerson(id, ofContact.contact_id))
    persons.set(id, ofContact ?? toPerson(id, null))
  }
  return persons
}

/** Takes the locks that precede those of the contacts. */
export async function lockPersonsOfContacts(tx: TenantTx, contactIds: readonly string[]): Promise<void> {
  await lockPersons(tx, { leadIds: [], contactIds })
}

const unique = (ids: readonly (string | null)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))]
