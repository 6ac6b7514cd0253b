import type { TenantTx } from '#platform/db'
import { lockPersonContacts } from '../consent/person-records.queries.ts'
import { recordOptOuts } from '../consent/record-opt-out.service.ts'
import type { SuppressionServices } from '../consent/suppressions.service.ts'
import { defaultOptOutSource, toContactOutcome } from './suppressions.rules.ts'
import type { ContactOptOuts, OptedOutContacts } from './suppressions.schemas.ts'

export async function optOutContacts(
  tx: TenantTx,
  { contact_ids, source = defaultOptOutSource }: ContactOptOuts,
  services: SuppressionServices,
): Promise<OptedOutContacts> {
  const ids = [...new Set(contact_ids)]
  const contacts = await lockPersonContacts(tx, ids)
  const emails = contacts.flatMap(({ email_key }) => email_key ?? [])
  const optedOut = await recordOptOuts(tx, services, { emails, reason: 'manual', source }, { leads: [], contacts })
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  const results = ids.map((id) => toContactOutcome(id, byId.get(id), optedOut))
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  return {
    total: ids.length,
    succeeded: count('ok'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    results,
  }
}
