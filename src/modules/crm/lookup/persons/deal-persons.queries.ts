import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** A deal and all persons of it: primary contact, further contacts and the lead it was created from. */
export type DealPersons = {
  id: string
  kind: 'open' | 'won' | 'lost'
  amount_base_minor: number | null
  created_at: Date
  closed_at: Date | null
  deleted_at: Date | null
  lead_id: string | null
  contact_ids: string[]
}

export async function listDealPersons(tx: TenantTx, ids: readonly string[]): Promise<DealPersons[]> {
  const deals = sql<DealPersons>`(
    select deal.id, deal.kind, deal.amount_base_minor, deal.created_at, deal.closed_at, deal.deleted_at, deal.lead_id,
      array_remove(array(select contact_id from crm.opportunity_contacts link where link.opportunity_id = deal.id)
        || deal.primary_contact_id, null) as contact_ids
    from crm.opportunities deal where deal.id = any (${ids}::uuid[]))`
  return await tx
    .selectFrom(deals.as('deal'))
    .select(['deal.id', 'deal.kind', 'deal.amount_base_minor', 'deal.created_at', 'deal.closed_at'])
    .select(['deal.deleted_at', 'deal.lead_id', 'deal.contact_ids'])
    .orderBy('deal.id')
    .execute()
}

/** Open deals by id, deleted ones included. */
export async function listOpenDealIds(tx: TenantTx, after: string, limit: number): Promise<string[]> {
  const deals = await tx
    .selectFrom('crm.opportunities')
    .select('id')
    .where('id', '>', after)
    .where('kind', '=', sql.lit('open'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return deals.map(({ id }) => id)
}

export async function findDealCampaignId(tx: TenantTx, id: string): Promise<string | null> {
  const deal = await tx.selectFrom('crm.opportunities').select('campaign_id').where('id', '=', id).executeTakeFirst()
  return deal?.campaign_id ?? null
}

type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }

export async function listDealIdsOfPersons(tx: TenantTx, { leadIds, contactIds }: PersonIdLists): Promise<string[]> {
  const deals = sql<{ id: string }>`(
    select id from crm.opportunities where primary_contact_id = any (${contactIds}::uuid[])
    union select id from crm.opportunities where lead_id = any (${leadIds}::uuid[])
    union select opportunity_id from crm.opportunity_contacts where contact_id = any (${contactIds}::uuid[]))`
  const rows = await tx.selectFrom(deals.as('deal')).select('deal.id').orderBy('deal.id').execute()
  return rows.map(({ id }) => id)
}

export type DealCard = {
  id: string
  name: string
  account_id: string
  account_name: string | null
  amount_minor: number | null
  amount_currency: string | null
}

export async function findDealCards(tx: TenantTx, ids: readonly string[]): Promise<Map<string, DealCard>> {
  const deals = await tx
    .selectFrom('crm.opportunities as deal')
    .leftJoin('crm.accounts as account', (join) =>
      join.onRef('account.id', '=', 'deal.account_id').on('account.deleted_at', 'is', null),
    )
    .select(['deal.id', 'deal.name', 'deal.account_id', 'deal.amount_minor', 'deal.amount_currency'])
    .select('account.name as account_name')
    .where('deal.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(deals.map((deal) => [deal.id, deal]))
}
