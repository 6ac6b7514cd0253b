import { findAccountNames, findContactNames, findContactReferences, findLeadCards } from '#modules/crm'
import { actorOf, type TenantTx } from '#platform/db'
import type { ActorRow } from './actors.queries.ts'
import type { UsageActor } from './actors.schemas.ts'

const idsOf = (rows: readonly ActorRow[], column: 'contact_id' | 'lead_id' | 'account_id') =>
  rows.flatMap((row) => row[column] ?? [])

export async function presentActors(tx: TenantTx, rows: readonly ActorRow[]): Promise<UsageActor[]> {
  const leadIds = idsOf(rows, 'lead_id')
  const [contacts, leads, accounts] = await Promise.all([
    findShownContactNames(tx, idsOf(rows, 'contact_id')),
    leadIds.length ? findLeadCards(tx, leadIds) : new Map(),
    findAccountNames(tx, idsOf(rows, 'account_id')),
  ])
  const mayReadLeads = actorOf(tx).scopes.has('leads.read')
  const referenceTo = (id: string | null, name: string | null | undefined) =>
    id === null || name === undefined ? null : { id, name: name ?? '' }
  return rows.map((row) => {
    const { is_account, account_actor_id, contact_id, lead_id, account_id, ...fields } = row
    const lead = lead_id === null ? undefined : leads.get(lead_id)
    return {
      ...fields,
      link_method: fields.link_method as UsageActor['link_method'],
      kind: is_account ? 'account' : 'person',
      product_account_id: account_actor_id,
      contact: referenceTo(contact_id, contact_id === null ? undefined : contacts.get(contact_id)),
      lead: referenceTo(lead_id, lead && (lead.name ?? (mayReadLeads ? lead.email : null) ?? lead.company ?? '')),
      account: referenceTo(account_id, account_id === null ? undefined : accounts.get(account_id)),
    }
  })
}

/** The email address or phone number stands for a missing name only if the caller may read contacts. */
async function findShownContactNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (actorOf(tx).scopes.has('contacts.read')) return await findContactNames(tx, ids)
  const contacts = await findContactReferences(tx, ids)
  return new Map([...contacts].map(([id, { name }]) => [id, name ?? '']))
}
