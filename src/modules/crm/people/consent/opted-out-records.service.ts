import type { TenantTx } from '#platform/db'
import { isOptOut } from './consent.rules.ts'
import type { PersonKind } from './consent-events.queries.ts'
import type { ConsentServices } from './find-consent.service.ts'
import { findContactPermissions } from './may-contact.service.ts'
import { listPersonEmails } from './person-records.queries.ts'

/** Returns those records whose person has opted out of email. */
export async function filterOptedOut(
  tx: TenantTx,
  services: ConsentServices,
  kind: PersonKind,
  ids: readonly string[],
): Promise<Set<string>> {
  const people = await listPersonEmails(tx, kind, ids)
  const emails = people.flatMap(({ email_key }) => email_key ?? [])
  const permissions = await findContactPermissions(tx, services, emails, { channel: 'email' })
  const isOut = (email: string | null) => {
    const permission = permissions.get(email ?? '')
    return permission?.allowed === false && permission.code === 'opted_out'
  }
  const optedOut = people.filter(({ email_key, email_status }) => isOptOut(email_status) || isOut(email_key))
  return new Set(optedOut.map(({ id }) => id))
}
