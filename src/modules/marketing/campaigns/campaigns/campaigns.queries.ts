import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { daysLater } from '#platform/clock'
import {
  type Database,
  listTenantsAsRetention,
  listTenantsWithRows,
  type SystemTx,
  type TenantTx,
  type Tree,
} from '#platform/db'
import { notFound } from '#platform/errors'
import type { MemberStatus } from './default-statuses.rules.ts'

type Campaigns = Database['marketing.campaigns']

export const campaignColumns = [
  'id',
  'name',
  'type',
  'status',
  'description',
  'start_on',
  'end_on',
  'budget_minor',
  'budget_currency',
  'budget_base_minor',
  'actual_cost_minor',
  'actual_cost_currency',
  'actual_cost_base_minor',
  'expected_revenue_minor',
  'expected_revenue_currency',
  'expected_revenue_base_minor',
  'expected_responses',
  'parent_campaign_id',
  'owner_id',
  'source',
  'utm_campaign',
  'member_statuses',
  'tags',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const
export type CampaignRow = Omit<Pick<Selectable<Campaigns>, (typeof campaignColumns)[number]>, 'member_statuses'> & {
  member_statuses: MemberStatus[]
}

export const campaignTree: Tree = { table: 'marketing.campaigns', parent: 'parent_campaign_id' }

const selectCampaign = (tx: TenantTx, id: string) =>
  tx.selectFrom('marketing.campaigns').select(campaignColumns).where('id', '=', id)

export const findCampaign = async (tx: TenantTx, id: string): Promise<CampaignRow | undefined> =>
  (await selectCampaign(tx, id).executeTakeFirst()) as CampaignRow | undefined

export async function getCampaignRow(tx: TenantTx, id: string): Promise<CampaignRow> {
  return requireCampaign(await findCampaign(tx, id))
}

export async function lockCampaign(tx: TenantTx, id: string): Promise<CampaignRow> {
  return requireCampaign((await selectCampaign(tx, id).forNoKeyUpdate().executeTakeFirst()) as CampaignRow | undefined)
}

/** Keeps status and member statuses unchanged until the transaction ends; members can be added concurrently. */
export async function lockCampaignShared(tx: TenantTx, id: string): Promise<CampaignRow> {
  return requireCampaign((await selectCampaign(tx, id).forShare().executeTakeFirst()) as CampaignRow | undefined)
}

function requireCampaign(campaign: CampaignRow | undefined): CampaignRow {
  if (!campaign) throw notFound('campaign')
  return campaign
}

export async function findCampaigns(tx: TenantTx, ids: readonly string[]): Promise<CampaignRow[]> {
  const rows = await tx
    .selectFrom('marketing.campaigns')
    .select(campaignColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows as unknown as CampaignRow[]
}

export async function insertCampaign(tx: TenantTx, campaign: Insertable<Campaigns>): Promise<CampaignRow> {
  const row = await tx
    .insertInto('marketing.campaigns')
    .values(campaign)
    .returning(campaignColumns)
    .executeTakeFirstOrThrow()
  return row as unknown as CampaignRow
}

export async function updateCampaignRow(tx: TenantTx, id: string, fields: Updateable<Campaigns>): Promise<CampaignRow> {
  const row = await tx
    .updateTable('marketing.campaigns')
    .set(fields)
    .where('id', '=', id)
    .returning(campaignColumns)
    .executeTakeFirstOrThrow()
  return row as unknown as CampaignRow
}

export async function deleteCampaignRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('marketing.campaigns').where('id', '=', id).execute()
}

/** Names are unique among campaigns that are not archived. */
export async function findCampaignIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('marketing.campaigns')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .where('status', '<>', sql.lit('archived'))
    .executeTakeFirst()
  return row?.id
}

const isOpen = sql<boolean>`status in ('draft', 'scheduled', 'active', 'paused')`

export async function findCampaignIdByUtmKey(tx: TenantTx, utmKey: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('marketing.campaigns')
    .select('id')
    .where('utm_key', '=', utmKey)
    .where(isOpen)
    .executeTakeFirst()
  return row?.id
}

export async function hasUtmCampaigns(tx: TenantTx): Promise<boolean> {
  const row = await tx
    .selectFrom('marketing.campaigns')
    .select('id')
    .where('utm_key', 'is not', null)
    .where(isOpen)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps them open until the transaction ends. */
export async function lockCampaignsByUtmKeyShared(tx: TenantTx, utmKeys: readonly string[]) {
  const rows = await tx
    .selectFrom('marketing.campaigns')
    .select([...campaignColumns, 'utm_key'])
    .where('utm_key', '=', sql<string>`any(${utmKeys}::text[])`)
    .where(isOpen)
    .orderBy('id')
    .forShare()
    .execute()
  return rows as unknown as (CampaignRow & { utm_key: string })[]
}

export async function findCampaignNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .selectFrom('marketing.campaigns')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function hasCampaignAmounts(tx: TenantTx): Promise<boolean> {
  const row = await tx
    .selectFrom('marketing.campaigns')
    .select('id')
    .where(sql<boolean>`coalesce(budget_base_minor, actual_cost_base_minor, expected_revenue_base_minor) is not null`)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

export async function listSubtreeIds(tx: TenantTx, id: string): Promise<string[]> {
  const tree = sql<{ id: string }>`(
    with recursive tree (id, level) as (
      select id, 1 from marketing.campaigns where id = ${id}
      union all
      select below.id, tree.level + 1 from tree join marketing.campaigns below on below.parent_campaign_id = tree.id
      where tree.level < 10
    )
    select id from tree)`
  const rows = await tx.selectFrom(tree.as('tree')).select('tree.id').execute()
  return rows.map((row) => row.id)
}

/** Locks campaigns that must start or end, given the current day of the workspace. */
export async function lockDueCampaigns(tx: TenantTx, today: string): Promise<CampaignRow[]> {
  const rows = await tx
    .selectFrom('marketing.campaigns')
    .select(campaignColumns)
    .where(
      sql<boolean>`(status = 'scheduled' and start_on <= ${today}::date or status = 'active' and end_on < ${today}::date)`,
    )
    .orderBy('id')
    .limit(500)
    .forNoKeyUpdate()
    .execute()
  return rows as unknown as CampaignRow[]
}

export async function countActiveCampaigns(tx: TenantTx, ownerId: string): Promise<number> {
  const { campaigns } = await tx
    .selectFrom('marketing.campaigns')
    .select(({ fn }) => fn.countAll<number>().as('campaigns'))
    .where('owner_id', '=', ownerId)
    .where('status', '=', sql.lit('active'))
    .executeTakeFirstOrThrow()
  return campaigns
}

/** Lists tenants with a campaign that is due in some time zone: the day there is at most one later than in UTC. */
export function listTenantsWithDueCampaigns(system: SystemTx, now: Date): Promise<string[]> {
  const latest = daysLater(now, 1).toISOString().slice(0, 10)
  const isDue = sql<boolean>`(status = 'scheduled' and start_on <= ${latest}::date or status = 'active' and end_on < ${latest}::date)`
  return listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'marketing.campaigns', isDue))
}

export const listTenantsWithCampaigns = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'marketing.campaigns'))
