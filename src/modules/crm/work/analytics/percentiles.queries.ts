import { type RawBuilder, sql } from 'kysely'
import { allOf } from '#platform/db'
import { type AnalyticsFilter, histograms, inDateRange, rollupRows, rowsMatching } from './analytics-sql.queries.ts'
import type { PercentileRow } from './histogram.rules.ts'
import type { DurationMetric } from './rollup-columns.rules.ts'

/** Percentiles of more leads are estimated from the histogram if their bucket has more than `maxExactDurations`. */
const maxExactLeads = 200_000
const maxExactDurations = 2_000

export type WantedPercentile = { metric: DurationMetric; q: number }

export const exactLimit = (leads: RawBuilder<unknown>, maxExact?: number) =>
  maxExact !== undefined
    ? sql.lit(maxExact)
    : sql<number>`case when ${leads} <= ${sql.lit(maxExactLeads)} then ${sql.lit(maxExactLeads)} else ${sql.lit(maxExactDurations)} end`

const histogramOf = (metric: DurationMetric) => {
  const buckets = sql.ref(`${metric}_steps`)
  return sql`
    select ${sql.lit(metric)} as metric, bucket, sum(n) as n
    from (select generate_subscripts(${buckets}, 1) as bucket, unnest(${buckets}) as n from counted) as elements
    where n <> 0 group by bucket having sum(n) > 0`
}

/** Finds the bucket of each percentile in the histogram and reads only the durations in this bucket; needs `baseCtes`. */
export function selectPercentiles(
  filter: AnalyticsFilter,
  wanted: readonly WantedPercentile[],
  maxExact: RawBuilder<number>,
): RawBuilder<PercentileRow[] | null> {
  const metrics = [...new Set(wanted.map(({ metric }) => metric))]
  return sql`(
    with counted as materialized (
      ${rollupRows(filter, {}, histograms)}
      union all select ${histograms} from deltas where ${allOf(inDateRange(filter.range))}
    ),
    histograms as (${sql.join(metrics.map(histogramOf), sql` union all `)}),
    ranked as (
      select metric, bucket, n, sum(n) over (partition by metric order by bucket) - n as before,
        sum(n) over (partition by metric) as total
      from histograms
    ),
    wanted as (
      select metric, q, q * (total - 1)::float8 as rank, bucket, n, before, total from ranked
      join (values ${sql.join(wanted.map(({ metric, q }) => sql`(${sql.lit(metric)}, ${sql.lit(q)}::float8)`))}) as percentiles (metric, q)
        using (metric)
    ),
    narrowed as (
      select metric, q, rank, array_agg(bucket::integer order by bucket) as buckets, min(before)::bigint as before,
        sum(n)::bigint as n, min(total)::bigint as total
      from wanted where before <= ceil(rank) and before + n > floor(rank) group by metric, q, rank
    )
    select json_agg(json_build_object('metric', metric, 'q', q, 'buckets', buckets, 'before', before, 'n', n, 'total', total,
      'ms', values[1] + (rank - floor(rank)) * (values[cardinality(values)] - values[1])))
    from narrowed cross join lateral (
      select array_agg(ms::float8 order by ms) as values from (
        select ms from unnest(buckets) as bucket_of_percentile (bucket) cross join lateral (
          select ms from crm.lead_durations duration
          where duration.metric = narrowed.metric and duration.bucket = bucket_of_percentile.bucket and ${rowsMatching(filter)}
        ) as durations
        where narrowed.n <= ${maxExact}
        order by ms offset floor(rank) - before limit ceil(rank) - floor(rank) + 1
      ) as neighbors
    ) as exact
  )`
}
