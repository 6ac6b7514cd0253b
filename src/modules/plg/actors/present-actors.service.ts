import { findAccountNames, findContactNames, findLeadCards } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import type { ActorRow } from './actors.queries.ts'
import type { UsageActor } from './actors.schemas.ts'

const idsOf = (rows: readonly ActorRow[], column: 'contact_id' | 'lead_id' | 'account_id') =>
  rows.flatMap((row) => row[column] ?? [])

export async function presentActors(tx: TenantTx, rows: readonly ActorRow[]): Promise<UsageActor[]> {
  const leadIds = idsOf(rows, 'lead_id')
  const [contacts, leads, accounts] = await Promise.all([
    findContactNames(tx, idsOf(rows, 'contact_id')),
    leadIds.length ? findLeadCards(tx, leadIds) : new Map(),
    findAccountNames(tx, idsOf(rows, 'account_id')),
  ])
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
      lead: referenceTo(lead_id, lead && (lead.name ?? lead.email ?? lead.company ?? '')),
      account: referenceTo(account_id, account_id === null ? undefined : accounts.get(account_id)),
    }
  })
}
