import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import { allOf } from '#platform/db'
import { durationMetrics, type RollupColumn, rollupColumns, unassignedOwnerId } from './rollup-columns.rules.ts'

/** Which leads an analytics query covers, as of when. An empty range means all leads. */
export type AnalyticsFilter = {
  range: Partial<DateRange>
  owner_id?: string
  source?: string
  now: Date
  /** Counts the leads themselves instead of reading rollups and deltas. */
  isDirect?: boolean
}

type Condition = Expression<SqlBool>
/** Group-by dimensions; they decide which rollup rows can be used. */
type Grouping = { owner?: boolean; source?: boolean }

export const inDateRange = ({ from, to }: Partial<DateRange>): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`day >= ${from}::date`]),
  ...(to === undefined ? [] : [sql<boolean>`day <= ${to}::date`]),
]

export const rowsMatching = ({ range, owner_id, source }: Omit<AnalyticsFilter, 'now'>): Condition =>
  allOf([
    ...inDateRange(range),
    ...(owner_id === undefined ? [] : [sql<boolean>`owner_id = ${owner_id}::uuid`]),
    ...(source === undefined ? [] : [sql<boolean>`source = ${source}`]),
  ])

const joinColumns = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))
const counters = joinColumns(rollupColumns)
export const histograms = joinColumns(durationMetrics.map((metric) => `${metric}_steps`))

const countedLeads = ({ range }: AnalyticsFilter) => sql`crm.count_leads(array(
  select distinct day from (select created_on as day from crm.leads where deleted_at is null) as lead where ${allOf(inDateRange(range))}
))`

/** CTEs shared by all analytics queries. One statement, so that rollups and deltas come from the same snapshot. */
export const baseCtes = (filter: AnalyticsFilter) => sql`
  deltas as materialized (
    select day, owner_id, source, ${counters}, ${histograms}
    from ${filter.isDirect ? countedLeads(filter) : sql`crm.lead_deltas`} as counts where ${rowsMatching(filter)}
  ),
  due as materialized (
    select day, owner_id, source, count(*) as n, count(*) filter (where status not in ('unqualified', 'converted')) as open_n
    from (
      select created_on as day, coalesce(owner_id, ${sql.lit(unassignedOwnerId)}::uuid) as owner_id, source, status
      from crm.leads
      where deleted_at is null and first_responded_at is null and sla_breached_at is null
        and sla_due_at < ${filter.now}::timestamptz
      -- Optimization fence: an index on created_on would read all leads of the range.
      offset 0
    ) as lead where ${rowsMatching(filter)}
    group by 1, 2, 3
  )`

export const rollupRows = (
  { range, owner_id, source, isDirect = false }: AnalyticsFilter,
  grouping: Grouping,
  select: RawBuilder<unknown>,
) => {
  if (isDirect) return sql`select ${select} from crm.lead_rollups where false`
  const [byOwner, bySource] = [grouping.owner || owner_id !== undefined, grouping.source || source !== undefined]
  const cut = byOwner ? (bySource ? 'owner_source' : 'owner') : bySource ? 'source' : 'all'
  const conditions = [
    sql<boolean>`cut = ${sql.lit(cut)}`,
    ...inDateRange(range),
    ...(byOwner && owner_id === undefined ? [] : [sql<boolean>`owner_id = ${owner_id ?? unassignedOwnerId}::uuid`]),
    ...(bySource && source === undefined ? [] : [sql<boolean>`source = ${source ?? ''}`]),
  ]
  return sql`select ${select} from crm.lead_rollups where ${allOf(conditions)}`
}

const keyAndCounters = sql`day, owner_id, source, ${counters}`
const dueColumns: Partial<Record<RollupColumn, RawBuilder<unknown>>> = {
  overdue_n: sql`n`,
  overdue_open_n: sql`open_n`,
  pending_n: sql`-n`,
}

const allCounts = (filter: AnalyticsFilter, grouping: Grouping) => sql`
  ${rollupRows(filter, grouping, keyAndCounters)}
  union all select ${keyAndCounters} from deltas
  union all select day, owner_id, source, ${sql.join(rollupColumns.map((column) => dueColumns[column] ?? sql`0`))} from due`

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
  )} from (${allCounts(filter, grouping)}) as counts group by 2 having sum(leads) <> 0`

export const unfolded = ({ isDirect = false }: Pick<AnalyticsFilter, 'isDirect'>) =>
  isDirect ? sql<number>`0` : sql<number>`(select count(*) from deltas)::integer`
