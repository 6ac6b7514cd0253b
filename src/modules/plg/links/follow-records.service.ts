import { findContactCards, findLeadCards, listAccountDomains } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import type { EventEnvelope } from '#platform/outbox'
import { replaceLeadByContact, unlinkRecords } from './link-actors.queries.ts'
import { markAccounts, markPeople } from './marks.queries.ts'

const linkingFields = ['email', 'account_id', 'domain']

/** Marks the actors that changed records may belong to, and removes links to deleted records. */
export async function followRecords(tx: TenantTx, events: readonly EventEnvelope[]): Promise<void> {
  const relevant = events.filter(isRelevant)
  const idsOf = (type: string, isDeletion: boolean) =>
    relevant
      .filter(({ subject, type: name }) => subject.type === type && name.endsWith('.deleted') === isDeletion)
      .map(({ subject }) => subject.id)
  for (const { type, subject, data } of relevant)
    if (type === 'lead.converted')
      await replaceLeadByContact(tx, subject.id, (data as { contact_id: string }).contact_id)
  const deleted = {
    contactIds: idsOf('contact', true),
    leadIds: idsOf('lead', true),
    accountIds: idsOf('account', true),
  }
  if (Object.values(deleted).some((ids) => ids.length)) await unlinkRecords(tx, deleted)

  const [contactIds, leadIds, accountIds] = [idsOf('contact', false), idsOf('lead', false), idsOf('account', false)]
  const [contacts, leads, domains] = await Promise.all([
    findContactCards(tx, [...contactIds, ...deleted.contactIds]),
    findLeadCards(tx, [...leadIds, ...deleted.leadIds]),
    listAccountDomains(tx, [...accountIds, ...deleted.accountIds]),
  ])
  const emails = [...contacts.values(), ...leads.values()].flatMap(({ email }) => email ?? [])
  if (emails.length || contactIds.length || leadIds.length) await markPeople(tx, { emails, contactIds, leadIds })
  if (domains.length || accountIds.length) await markAccounts(tx, { domains, accountIds })
}

function isRelevant({ type, data }: EventEnvelope): boolean {
  if (!type.endsWith('.updated')) return true
  const { changed = linkingFields } = data as { changed?: string[] }
  return changed.some((field) => linkingFields.includes(field))
}
