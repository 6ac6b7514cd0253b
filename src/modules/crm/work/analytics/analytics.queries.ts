import { sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import { planForValues, type TenantTx } from '#platform/db'
import { isDirectNow, readSums } from '../../records/fields/rollup-states.queries.ts'
import { type AnalyticsFilter, baseCtes, sumsBy, unfolded } from './analytics-sql.queries.ts'
import type { Granularity } from './date-range.rules.ts'
import type { PercentileRow } from './histogram.rules.ts'
import { exactLimit, selectPercentiles, type WantedPercentile } from './percentiles.queries.ts'
import type { RollupSums } from './rollup-columns.rules.ts'

export type AnalyticsRow = { sums: RollupSums[] | null; percentiles: PercentileRow[] | null; unfolded: number }

const wantedPercentiles: WantedPercentile[] = [
  { metric: 'response', q: 0.5 },
  { metric: 'response', q: 0.9 },
  { metric: 'assigned', q: 0.5 },
  { metric: 'assigned', q: 0.9 },
  { metric: 'mql', q: 0.5 },
  { metric: 'sql', q: 0.5 },
  { metric: 'opportunity', q: 0.5 },
  { metric: 'customer', q: 0.5 },
]

export function selectAnalytics(filter: AnalyticsFilter, granularity: Granularity, maxExact?: number) {
  const leads = sql`(select sum(leads) from sums where dimension = 'trend')`
  const trendBucket = sql`date_trunc(${sql.lit(granularity)}, day::timestamp)::date`
  return sql<AnalyticsRow>`(
    with ${baseCtes(filter)},
    sums as materialized (
      ${sumsBy('trend', trendBucket, filter)}
      union all ${sumsBy('source', sql`source`, filter, { source: true })}
      union all ${sumsBy('owner', sql`owner_id`, filter, { owner: true })}
    )
    select (select json_agg(sums) from sums) as sums,
      ${selectPercentiles(filter, wantedPercentiles, exactLimit(leads, maxExact))} as percentiles, ${unfolded(filter)} as unfolded
  )`
}

export async function readAnalytics(
  tx: TenantTx,
  filter: AnalyticsFilter,
  granularity: Granularity,
  maxExact?: number,
): Promise<AnalyticsRow> {
  return await readSums(tx, 'leads', (isDirect) => {
    const query = selectAnalytics({ ...filter, isDirect }, granularity, maxExact).as('analytics')
    const columns = ['sums', 'percentiles', 'unfolded', isDirectNow('leads').as('is_direct')] as const
    return tx.selectFrom(query).select(columns).executeTakeFirstOrThrow()
  })
}

export async function readSourceSums(tx: TenantTx, filter: AnalyticsFilter): Promise<RollupSums[]> {
  await planForValues(tx)
  const { sums } = await readSums(tx, 'leads', (isDirect) => {
    const counted = { ...filter, isDirect }
    const query = sql<Pick<AnalyticsRow, 'sums'>>`(
      with ${baseCtes(counted)}
      select json_agg(sums) as sums from (${sumsBy('source', sql`source`, counted, { source: true })}) as sums
    )`
    const columns = ['sums', isDirectNow('leads').as('is_direct')] as const
    return tx.selectFrom(query.as('analytics')).select(columns).executeTakeFirstOrThrow()
  })
  return sums ?? []
}

export async function listSourcesWithSpend(tx: TenantTx, { from, to }: Partial<DateRange>) {
  return await tx
    .selectFrom('crm.lead_sources')
    .select(['key', 'label', 'channel', 'is_active'])
    .select((eb) => {
      let spend = eb
        .selectFrom('crm.lead_source_spend')
        .select(sql<string>`coalesce(sum(amount_base_minor), 0)::text`.as('cost'))
        .whereRef('source_key', '=', 'crm.lead_sources.key')
      if (from !== undefined) spend = spend.where('month', '>=', from)
      if (to !== undefined) spend = spend.where('month', '<=', to)
      return spend.$asScalar().$notNull().as('cost')
    })
    .execute()
}
