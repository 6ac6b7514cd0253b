import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type LinearShares = { won: number; open: number }

/** Shares of the linear model in the base currency; campaigns that influenced no deal are missing. */
export async function sumLinearShares(
  tx: TenantTx,
  campaignIds: readonly string[],
): Promise<Map<string, LinearShares>> {
  const sums = sql<LinearShares & { campaign_id: string }>`(
    select campaign_id, coalesce(sum(linear_minor) filter (where kind = 'won'), 0)::bigint as won,
      coalesce(sum(linear_minor) filter (where kind = 'open'), 0)::bigint as open
    from marketing.opportunity_touches where campaign_id = any (${campaignIds}::uuid[]) and not is_hidden
    group by campaign_id)`
  const rows = await tx.selectFrom(sums.as('sums')).select(['sums.campaign_id', 'sums.won', 'sums.open']).execute()
  return new Map(rows.map(({ campaign_id, ...shares }) => [campaign_id, shares]))
}
