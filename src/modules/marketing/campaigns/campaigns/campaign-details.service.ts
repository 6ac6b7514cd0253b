import { baseCurrencyOf, findUserNames, resolveOwnerId, toReferenceOrNull, toUserReference } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import { moneyFieldsOf } from './campaign-columns.service.ts'
import { countMembersOf } from './campaign-counts.queries.ts'
import { sumLinearShares } from './campaign-results.queries.ts'
import { returnOnCost } from './campaign-results.rules.ts'
import { type CampaignRow, findCampaignNames, findCampaigns, getCampaignRow } from './campaigns.queries.ts'
import type { Campaign, CampaignQuery, ListedCampaign } from './campaigns.schemas.ts'
import { listCampaignRows } from './list-campaigns.queries.ts'

export async function listCampaigns(
  tx: TenantTx,
  actor: UserActor,
  { limit, offset, cursor, count, owner_id, include, ...filter }: CampaignQuery,
): Promise<Page<ListedCampaign>> {
  const filters = { ...filter, ...(owner_id && { owner_id: resolveOwnerId(owner_id, actor) }) }
  const { items, ...page } = await listCampaignRows(tx, filters, { limit, offset, cursor, count })
  const [campaigns, results] = await Promise.all([
    toCampaigns(tx, items),
    include === 'results' ? readResults(tx, items) : undefined,
  ])
  return { ...page, items: results ? campaigns.map((one) => ({ ...one, results: results.get(one.id)! })) : campaigns }
}

/** The same figures as in the KPIs of each campaign. */
async function readResults(
  tx: TenantTx,
  rows: readonly CampaignRow[],
): Promise<Map<string, NonNullable<ListedCampaign['results']>>> {
  const [shares, currency] = await Promise.all([
    sumLinearShares(
      tx,
      rows.map(({ id }) => id),
    ),
    baseCurrencyOf(tx),
  ])
  return new Map(
    rows.map(({ id, actual_cost_base_minor }) => {
      const { won, open } = shares.get(id) ?? { won: 0, open: 0 }
      const roi = returnOnCost(won, actual_cost_base_minor)
      return [id, { won_amount: toMoney(won, currency), open_amount: toMoney(open, currency), roi }]
    }),
  )
}

export async function getCampaign(tx: TenantTx, id: string): Promise<Campaign> {
  return await toCampaign(tx, await getCampaignRow(tx, id))
}

export async function toCampaign(tx: TenantTx, row: CampaignRow): Promise<Campaign> {
  return (await toCampaigns(tx, [row]))[0]!
}

async function toCampaigns(tx: TenantTx, rows: readonly CampaignRow[]): Promise<Campaign[]> {
  const [owners, parents, counts] = await Promise.all([
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
    findCampaignNames(
      tx,
      rows.flatMap(({ parent_campaign_id }) => parent_campaign_id ?? []),
    ),
    countMembersOf(
      tx,
      rows.map(({ id }) => id),
    ),
  ])
  return rows.map((row) => ({
    ...(row as unknown as Campaign),
    ...moneyFieldsOf(row),
    owner: toUserReference(owners, row.owner_id),
    parent: toReferenceOrNull(parents, row.parent_campaign_id),
    member_count: counts.get(row.id)?.members ?? 0,
    responded_count: counts.get(row.id)?.responded ?? 0,
  }))
}

export async function listCampaignsById(tx: TenantTx, ids: readonly string[]): Promise<Campaign[]> {
  return await toCampaigns(tx, await findCampaigns(tx, ids))
}
