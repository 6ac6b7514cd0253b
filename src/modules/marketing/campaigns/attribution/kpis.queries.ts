import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type TouchSums = {
  kind: 'open' | 'won' | 'lost'
  deals: number
  amount: number
  first: number
  last: number
  linear: number
}

/** A deal that several of these campaigns influenced counts once; their shares add up. */
export async function sumTouches(tx: TenantTx, campaignIds: readonly string[]): Promise<TouchSums[]> {
  const sums = sql<TouchSums>`(
    select kind, count(*)::integer as deals, sum(amount)::bigint as amount, sum(first)::bigint as first, sum(last)::bigint as last,
      sum(linear)::bigint as linear
    from (
      select kind, max(amount_base_minor) as amount, sum(first_minor) as first, sum(last_minor) as last, sum(linear_minor) as linear
      from marketing.opportunity_touches where campaign_id = any (${campaignIds}::uuid[]) and not is_hidden
      group by opportunity_id, kind
    ) as deal
    group by kind)`
  return await tx
    .selectFrom(sums.as('sums'))
    .select(['sums.kind', 'sums.deals', 'sums.amount', 'sums.first', 'sums.last', 'sums.linear'])
    .execute()
}

export type CostSums = { budget: number | null; cost: number | null }

/** In the base currency; null if no campaign has an amount. */
export async function sumCosts(tx: TenantTx, campaignIds: readonly string[]): Promise<CostSums> {
  const sums = sql<CostSums>`(
    select sum(budget_base_minor)::bigint as budget, sum(actual_cost_base_minor)::bigint as cost
    from marketing.campaigns where id = any (${campaignIds}::uuid[]))`
  return await tx.selectFrom(sums.as('sums')).select(['sums.budget', 'sums.cost']).executeTakeFirstOrThrow()
}

export type WeekCounts = { added: number; responded: number }

/** Counts members by the weeks that begin at `starts`; the last one has no end. A week is numbered from 1. */
export async function countMembersByWeek(
  tx: TenantTx,
  campaignIds: readonly string[],
  starts: readonly string[],
): Promise<Map<number, WeekCounts>> {
  const weekOf = (column: string) => sql`width_bucket(${sql.ref(column)}, ${starts}::timestamptz[])`
  const counts = sql<WeekCounts & { week: number }>`(
    select week, sum(added)::integer as added, sum(responded)::integer as responded
    from (
      select ${weekOf('first_touched_at')} as week, count(*) as added, 0 as responded
      from marketing.campaign_members
      where campaign_id = any (${campaignIds}::uuid[]) and not is_hidden and first_touched_at >= ${starts[0]}::timestamptz
      group by 1
      union all
      select ${weekOf('responded_at')}, 0, count(*)
      from marketing.campaign_members
      where campaign_id = any (${campaignIds}::uuid[]) and not is_hidden and responded_at >= ${starts[0]}::timestamptz
      group by 1
    ) as counted
    group by week)`
  const rows = await tx
    .selectFrom(counts.as('counts'))
    .select(['counts.week', 'counts.added', 'counts.responded'])
    .execute()
  return new Map(rows.map(({ week, ...numbers }) => [week, numbers]))
}
