import type { TenantTx } from '#platform/db'
import type { ListedAccount } from '../../people/accounts/accounts.schemas.ts'
import { toListedAccounts } from '../../people/accounts/list-accounts.service.ts'
import type { Contact } from '../../people/contacts/contacts.schemas.ts'
import { toContacts } from '../../people/contacts/list-contacts.service.ts'
import type { ListedLead } from '../../people/lead-records/leads.schemas.ts'
import { toListedLeads } from '../../people/leads/lead-details.service.ts'
import { listAccountRowsByIds, listContactRowsByIds, listLeadRowsByIds } from './record-summaries.queries.ts'

type RecordSummary = ListedLead | Contact | ListedAccount

/** Returns the records by id, as the list of their type shows them. */
export async function listRecordSummaries(
  tx: TenantTx,
  objectType: 'lead' | 'contact' | 'account',
  ids: readonly string[],
  now: Date,
): Promise<Map<string, RecordSummary>> {
  const read: Record<typeof objectType, () => Promise<RecordSummary[]>> = {
    lead: async () => await toListedLeads(tx, await listLeadRowsByIds(tx, ids), now),
    contact: async () => await toContacts(tx, await listContactRowsByIds(tx, ids)),
    account: async () => await toListedAccounts(tx, await listAccountRowsByIds(tx, ids)),
  }
  return new Map((await read[objectType]()).map((record) => [record.id, record]))
}
