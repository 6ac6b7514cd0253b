import { findUserNames, resolveOwnerId, toReferenceOrNull, toUserReference } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { moneyFieldsOf } from './campaign-columns.service.ts'
import { countMembersOf } from './campaign-counts.queries.ts'
import { type CampaignRow, findCampaignNames, findCampaigns, getCampaignRow } from './campaigns.queries.ts'
import type { Campaign, CampaignQuery } from './campaigns.schemas.ts'
import { listCampaignRows } from './list-campaigns.queries.ts'

export async function listCampaigns(
  tx: TenantTx,
  actor: UserActor,
  { limit, offset, cursor, count, owner_id, ...filter }: CampaignQuery,
): Promise<Page<Campaign>> {
  const filters = { ...filter, ...(owner_id && { owner_id: resolveOwnerId(owner_id, actor) }) }
  const { items, ...page } = await listCampaignRows(tx, filters, { limit, offset, cursor, count })
  return { ...page, items: await toCampaigns(tx, items) }
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
