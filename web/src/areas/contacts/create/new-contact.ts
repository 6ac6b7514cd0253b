import { api, read, withKey } from '../../../api/client.ts'
import type { Intent } from '../../../api/intent.ts'
import { type Contact, refreshContacts, storeContact } from '../contact-queries.ts'
import { type NewContactValues, textFields } from './contact-values.ts'

type Links = { account_id: string | null; owner_id: string | null }

export async function createContact(values: NewContactValues, links: Links, intent: Intent): Promise<Contact> {
  const filled = textFields.filter((field) => values[field].trim() !== '')
  const body = { ...Object.fromEntries(filled.map((field) => [field, values[field].trim()])), ...links }
  const contact = await read(api.POST('/api/contacts/', { headers: withKey(intent.keyOf(body)), body }))
  intent.end()
  storeContact(contact)
  void refreshContacts()
  return contact
}
