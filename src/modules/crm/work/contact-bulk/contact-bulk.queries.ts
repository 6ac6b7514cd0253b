import type { TenantTx } from '#platform/db'
import { type ContactFilter, matchingContacts } from '../../people/contacts/list-contacts.queries.ts'

export async function listMatchingContactIds(tx: TenantTx, filter: ContactFilter, limit: number): Promise<string[]> {
  const { contacts } = await matchingContacts(tx, filter)
  const rows = await contacts.select('id').orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}
