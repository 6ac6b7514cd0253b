import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import { allOf } from '../lists/keyset-page.queries.ts'
import { durationCounts, isOpenLead, leadCounts, selectRollupColumns } from './live-counts.queries.ts'
import { type DurationMetric, durationMetrics, rollupColumns, unassignedOwnerId } from './rollup-columns.rules.ts'

/** Which leads an analytics query covers, as of when. An empty range means all leads. */
export type AnalyticsFilter = { range: Partial<DateRange>; owner_id?: string; source?: string; now: Date }

type Condition = Expression<SqlBool>
/** Group-by dimensions; they decide which rollup rows can be used. */
type Grouping = { owner?: boolean; source?: boolean }

const inDateRange = (column: RawBuilder<unknown>, { from, to }: Partial<DateRange>): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`${column} >= ${from}::date`]),
  ...(to === undefined ? [] : [sql<boolean>`${column} <= ${to}::date`]),
]

export const leadsMatching = ({ range, owner_id, source }: Omit<AnalyticsFilter, 'now'>): Condition =>
  allOf([
    ...inDateRange(sql`lead.created_on`, range),
    ...(owner_id === undefined ? [] : [sql<boolean>`lead.owner_id = ${owner_id}::uuid`]),
    ...(source === undefined ? [] : [sql<boolean>`lead.source = ${source}`]),
  ])

/** Array instead of a join, which fetches leads one by one. Add no other condition on `created_on`: the planner would expect few rows. */
const leadsOfDirtyDays = (filter: AnalyticsFilter): Condition =>
  allOf([
    sql<boolean>`lead.created_on = any (array(select day from dirty where ${allOf(inDateRange(sql`day`, filter.range))}))`,
    leadsMatching({ ...filter, range: {} }),
  ])

/** CTEs shared by all analytics queries. One statement, so rollups and live rows of dirty days come from the same snapshot. */
export const baseCtes = (filter: AnalyticsFilter) => sql`
  dirty as materialized (
    select distinct day from crm.lead_rollup_dirty where ${allOf(inDateRange(sql`day`, filter.range))}
  ),
  live as materialized (${leadCounts(leadsOfDirtyDays(filter))}),
  due as materialized (
    select created_on as day, coalesce(lead.owner_id, ${sql.lit(unassignedOwnerId)}::uuid) as owner_id, source,
      count(*) as n, count(*) filter (where ${isOpenLead}) as open_n
    from (
      select created_on, owner_id, source, status from crm.leads
      where deleted_at is null and first_responded_at is null and sla_breached_at is null
        and sla_due_at < ${filter.now}::timestamptz
      -- Optimization fence: an index on created_on would read all leads of the range.
      offset 0
    ) as lead where ${leadsMatching(filter)}
    group by 1, 2, 3
  )`

const isClean = sql<boolean>`day not in (select day from dirty)`

const rollupRows = ({ range, owner_id, source }: AnalyticsFilter, grouping: Grouping, select: RawBuilder<unknown>) => {
  const [byOwner, bySource] = [grouping.owner || owner_id !== undefined, grouping.source || source !== undefined]
  const cut = byOwner ? (bySource ? 'owner_source' : 'owner') : bySource ? 'source' : 'all'
  const conditions = [
    sql<boolean>`cut = ${sql.lit(cut)}`,
    ...inDateRange(sql`day`, range),
    ...(byOwner && owner_id === undefined ? [] : [sql<boolean>`owner_id = ${owner_id ?? unassignedOwnerId}::uuid`]),
    ...(bySource && source === undefined ? [] : [sql<boolean>`source = ${source ?? ''}`]),
  ]
  return sql`select day, owner_id, source, ${select} from crm.lead_rollups where ${allOf(conditions)}`
}

const columnNames = sql.join(rollupColumns.map((column) => sql.ref(column)))
const dueColumns = { overdue_n: sql`n`, overdue_open_n: sql`open_n`, pending_n: sql`-n` }

const allCounts = (filter: AnalyticsFilter, grouping: Grouping) => sql`
  ${rollupRows(filter, grouping, columnNames)} and ${isClean}
  union all select day, owner_id, source, ${columnNames} from live
  union all select day, owner_id, source, ${selectRollupColumns(dueColumns)} from due`

export const sumsBy = (
  dimension: string,
  key: RawBuilder<unknown>,
  filter: AnalyticsFilter,
  grouping: Grouping = {},
) => sql`
  select ${sql.lit(dimension)} as dimension, (${key})::text as key, ${sql.join(
    rollupColumns.map((column) =>
      column === 'won_base_minor'
        ? sql`sum(won_base_minor)::text as won_base_minor`
        : sql`sum(${sql.ref(column)})::bigint as ${sql.ref(column)}`,
    ),
  )} from (${allCounts(filter, grouping)}) as counts group by 2`

const histogramColumn = (metric: DurationMetric) => sql.ref(`${metric}_steps`)

const rollupHistograms = (filter: AnalyticsFilter, metrics: readonly DurationMetric[], condition: Condition) => sql`
  select metric, array_lower(buckets, 1) - 1 + ordinal as bucket, n
  from (${rollupRows(filter, {}, sql.join(metrics.map(histogramColumn)))} and ${condition}) as rollups
    cross join lateral (values ${sql.join(
      metrics.map((metric) => sql`(${sql.lit(metric)}, ${histogramColumn(metric)})`),
    )}) as histograms (metric, buckets)
    cross join lateral unnest(buckets) with ordinality as counts (n, ordinal)
  where n > 0`

/** Exact histogram of one metric; needs `baseCtes`. */
export const histogramOf = (filter: AnalyticsFilter, metric: DurationMetric) => sql`
  select bucket, sum(n)::bigint as n from (
    ${rollupHistograms(filter, [metric], isClean)}
    union all
    select metric, bucket, n from (${durationCounts(leadsOfDirtyDays(filter), [metric])}) as durations
  ) as histogram group by bucket`

/** Histograms of all metrics from rollups only: cheap, but dirty days are as of their last rebuild. */
export const lastCountedHistograms = (filter: AnalyticsFilter, condition: Condition) => sql`
  select metric, bucket, sum(n)::bigint as n from (${rollupHistograms(filter, durationMetrics, condition)}) as histograms
  group by metric, bucket`
