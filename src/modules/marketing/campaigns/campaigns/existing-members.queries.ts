import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function hasMembers(tx: TenantTx, campaignId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('marketing.campaign_members')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row !== undefined
}

/** Returns one of the statuses that members have. */
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
