import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type Money, moneyOf } from '#platform/money'

export type OpportunityReference = {
  id: string
  name: string
  stage_key: string
  kind: string
  account_id: string | null
  amount: Money | null
  close_on: string
}

export async function findOpportunityReferences(
  tx: TenantTx,
  ids: Iterable<string>,
): Promise<Map<string, OpportunityReference>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const deals = await tx
    .selectFrom('crm.opportunities')
    .select(['id', 'name', 'stage_key', 'kind', 'account_id', 'amount_minor', 'amount_currency', 'close_on'])
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(
    deals.map(({ amount_minor, amount_currency, ...deal }) => [
      deal.id,
      { ...deal, amount: moneyOf(amount_minor, amount_currency) },
    ]),
  )
}

export type ContactReference = { id: string; name: string | null; email: string | null; account_id: string | null }

export async function findContactReferences(
  tx: TenantTx,
  ids: Iterable<string>,
): Promise<Map<string, ContactReference>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const contacts = await tx
    .selectFrom('crm.contacts')
    .select(['id', 'name', 'email', 'account_id'])
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(contacts.map((contact) => [contact.id, contact]))
}
