import { sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { baseCtes, histogramOf, leadsMatching, sumsBy } from './analytics-sql.queries.ts'
import { bucketThresholds } from './histogram.rules.ts'
import type { RollupSums } from './rollup-columns.rules.ts'

/** Above this many durations, medians are estimated from the histogram. */
export const maxExactDurations = 200_000

type KpiPeriods = { current: DateRange; previous: DateRange; owner_id?: string; now: Date }
/** Histogram bucket of the median; `ms` is the exact median unless the bucket has too many responses. */
export type MedianBucket = { lower: number; upper: number; before: number; n: number; total: number; ms: number | null }
type KpiRow = { sums: RollupSums[] | null; median: MedianBucket | null }

/** Reads sums by period and the exact median response time, for which only leads in the median's bucket are read. */
export async function readKpis(
  tx: TenantTx,
  { current, previous, owner_id, now }: KpiPeriods,
  maxExact = maxExactDurations,
): Promise<KpiRow> {
  const allLeads = { range: {}, owner_id, now }
  const leadsOfPeriod = { range: current, owner_id, now }
  const period = sql`case when day >= ${current.from}::date then 'current'
    when day >= ${previous.from}::date then 'previous' else 'earlier' end`
  const thresholds = [...bucketThresholds]
  const query = sql<KpiRow>`(
    with ${baseCtes(allLeads)},
    ranked as (
      select bucket, n, sum(n) over (order by bucket) - n as before, sum(n) over () as total
      from (${histogramOf(leadsOfPeriod, 'response')}) as histogram
    ),
    median as materialized (
      select min(before) as before, sum(n) as n, min(total) as total, floor((min(total) - 1) / 2)::bigint as first,
        floor(min(total) / 2)::bigint as last,
        coalesce((${thresholds}::bigint[])[min(bucket)], 0) as lower,
        coalesce((${thresholds}::bigint[])[max(bucket) + 1], 9007199254740991) as upper
      from ranked where before <= floor(total / 2) and before + n > floor((total - 1) / 2)
      having count(*) > 0
    )
    select (select json_agg(sums) from (${sumsBy('period', period, allLeads)}) as sums) as sums,
      (select to_json(exact) from (
        select lower, upper, before, n, total, (
          select avg(response_ms)::float8 from (
            select response_ms
            from (
              -- Casts outside the join: under row-level security a cast of an outer column is not an index condition.
              select at::date as day
              from generate_series(${current.from}::date, ${current.to}::date, interval '1 day') as series (at) offset 0
            ) as days
              cross join lateral (
                select response_ms from crm.leads lead where deleted_at is null and created_on = days.day
                  and response_ms >= (select lower from median) and response_ms < (select upper from median)
                  and ${leadsMatching({ range: {}, owner_id })}
                -- Optimization fence: keeps one index scan per day; another join would read all days.
                offset 0
              ) as responses
            where (select n from median) <= ${sql.lit(maxExact)}
            order by response_ms offset (select first - before from median) limit (select last - first + 1 from median)
          ) as central
        ) as ms from median
      ) as exact) as median
  )`
  return await tx.selectFrom(query.as('kpis')).select(['sums', 'median']).executeTakeFirstOrThrow()
}
