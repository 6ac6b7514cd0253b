import type { TenantTx } from '#platform/db'
import { findContactIdsByEmails } from '../contacts/contacts.queries.ts'
import { findLeadIdsByEmails } from '../lead-records/leads.queries.ts'

/** The contact with an email address, and the oldest lead. Deleted records are left out. */
export type PersonIds = { contact_id: string | null; lead_id: string | null }

export async function findPersonByEmail(tx: TenantTx, email: string): Promise<PersonIds> {
  return (await findPersonsByEmails(tx, [email])).get(email)!
}

/** The keys of the result are the given email addresses. */
export async function findPersonsByEmails(tx: TenantTx, emails: readonly string[]): Promise<Map<string, PersonIds>> {
  const keyOf = (email: string) => email.toLowerCase()
  const keys = [...new Set(emails.map(keyOf))]
  const [contacts, leads] = await Promise.all([findContactIdsByEmails(tx, keys), findLeadIdsByEmails(tx, keys)])
  return new Map(
    emails.map((email) => [
      email,
      { contact_id: contacts.get(keyOf(email)) ?? null, lead_id: leads.get(keyOf(email)) ?? null },
    ]),
  )
}
