import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type DealFilter = { exceptDealIds?: readonly string[] }

/** A closed deal keeps its touches, so a campaign with one of them must not be deleted. */
export async function hasFrozenTouches(
  tx: TenantTx,
  campaignId: string,
  { exceptDealIds = [] }: DealFilter = {},
): Promise<boolean> {
  const row = await tx
    .selectFrom('marketing.opportunity_touches')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('frozen', '=', sql.lit(true))
    .where('opportunity_id', '<>', sql<string>`all(${exceptDealIds}::uuid[])`)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

/** Marks the deals with a touch of the campaign, whose other touches get its shares when it is deleted. */
export async function markDealsOfCampaign(tx: TenantTx, campaignId: string): Promise<void> {
  await sql`
    insert into marketing.attribution_marks (id, record_type, record_id)
    select gen_random_uuid(), 'opportunity', opportunity_id from marketing.opportunity_touches
    where campaign_id = ${campaignId}::uuid
  `.execute(tx)
}

export async function hasMembers(tx: TenantTx, campaignId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('marketing.campaign_members')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

export async function findUsedStatus(
  tx: TenantTx,
  campaignId: string,
  statuses: readonly string[],
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('marketing.campaign_members')
    .select('status')
    .where('campaign_id', '=', campaignId)
    .where('status', '=', sql<string>`any(${statuses}::text[])`)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row?.status
}
