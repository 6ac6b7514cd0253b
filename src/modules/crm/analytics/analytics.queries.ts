import { sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import {
  type AnalyticsFilter,
  baseCtes,
  lastCountedHistograms,
  leadsMatching,
  sumsBy,
} from './analytics-sql.queries.ts'
import type { Granularity } from './date-range.rules.ts'
import { maxExactDurations } from './kpis.queries.ts'
import { durationMsOf } from './live-counts.queries.ts'
import { type DurationMetric, durationMetrics, type RollupSums } from './rollup-columns.rules.ts'

/** Median and 90th percentile in milliseconds. */
export type ExactQuantiles = Record<DurationMetric, [number, number] | null>
export type HistogramRows = { metric: DurationMetric; bucket: number; n: number }[]
export type AnalyticsRow = {
  sums: RollupSums[] | null
  quantiles: ExactQuantiles | null
  histograms: HistogramRows | null
}

/** Reads sums by trend bucket, source and owner, and durations: exact quantiles, or histograms above `maxExact` leads. */
export async function readAnalytics(
  tx: TenantTx,
  filter: AnalyticsFilter,
  granularity: Granularity,
  maxExact = maxExactDurations,
): Promise<AnalyticsRow> {
  const trendBucket = sql`date_trunc(${sql.lit(granularity)}, day::timestamp)::date`
  const leads = sql`(select coalesce(sum(leads), 0) from sums where dimension = 'trend')`
  const isExact = sql<boolean>`${leads} <= ${sql.lit(maxExact)}`
  const percentiles = sql.join(
    durationMetrics.map(
      (metric) =>
        sql`percentile_cont(array[0.5, 0.9]) within group (order by ${durationMsOf(metric)}) as ${sql.ref(metric)}`,
    ),
  )
  const query = sql<AnalyticsRow>`(
    with ${baseCtes(filter)},
    sums as materialized (
      ${sumsBy('trend', trendBucket, filter)}
      union all ${sumsBy('source', sql`source`, filter, { source: true })}
      union all ${sumsBy('owner', sql`owner_id`, filter, { owner: true })}
    )
    select (select json_agg(sums) from sums) as sums,
      (select to_json(quantiles) from (
        select ${percentiles} from crm.leads lead where deleted_at is null and ${leadsMatching(filter)} and ${isExact}
      ) as quantiles where ${isExact}) as quantiles,
      (select json_agg(histograms) from (
        ${lastCountedHistograms(filter, sql`not (${isExact})`)}
      ) as histograms) as histograms
  )`
  return await tx
    .selectFrom(query.as('analytics'))
    .select(['sums', 'quantiles', 'histograms'])
    .executeTakeFirstOrThrow()
}

export async function readSourceSums(tx: TenantTx, filter: AnalyticsFilter): Promise<RollupSums[]> {
  const query = sql<Pick<AnalyticsRow, 'sums'>>`(
    with ${baseCtes(filter)}
    select json_agg(sums) as sums from (${sumsBy('source', sql`source`, filter, { source: true })}) as sums
  )`
  const { sums } = await tx.selectFrom(query.as('analytics')).select('sums').executeTakeFirstOrThrow()
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
