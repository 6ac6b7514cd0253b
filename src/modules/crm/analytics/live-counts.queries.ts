import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { bucketThresholds } from './histogram.rules.ts'
import {
  type DurationMetric,
  durationMetrics,
  type RollupColumn,
  rollupColumns,
  unassignedOwnerId,
} from './rollup-columns.rules.ts'

const countWhere = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})`
const inStatus = (status: string) => countWhere(sql`status = ${sql.lit(status)}`)
const inStage = (stage: string) => countWhere(sql`lifecycle_stage = ${sql.lit(stage)}`)
const withGrade = (grade: string) => countWhere(sql`grade = ${sql.lit(grade)}`)
const minuteMs = 60_000
const answeredWithin = (afterMinutes: number, upToMinutes: number) =>
  countWhere(
    sql`response_ms > ${sql.lit(afterMinutes * minuteMs)} and response_ms <= ${sql.lit(upToMinutes * minuteMs)}`,
  )

const isUnanswered = sql`first_responded_at is null and sla_due_at is not null`
export const isOpenLead = sql`status not in ('unqualified', 'converted')`

type DealColumn = 'won_n' | 'won_base_minor'
const leadColumns: Record<Exclude<RollupColumn, DealColumn>, RawBuilder<unknown>> = {
  leads: sql`count(*)`,
  score_sum: sql`sum(score)`,
  new_n: inStatus('new'),
  contacted_n: inStatus('contacted'),
  working_n: inStatus('working'),
  nurturing_n: inStatus('nurturing'),
  qualified_n: inStatus('qualified'),
  unqualified_n: inStatus('unqualified'),
  converted_n: inStatus('converted'),
  stage_subscriber_n: inStage('subscriber'),
  stage_lead_n: inStage('lead'),
  stage_mql_n: inStage('mql'),
  stage_sql_n: inStage('sql'),
  stage_opportunity_n: inStage('opportunity'),
  stage_customer_n: inStage('customer'),
  stage_evangelist_n: inStage('evangelist'),
  grade_a_n: withGrade('A'),
  grade_b_n: withGrade('B'),
  grade_c_n: withGrade('C'),
  unassigned_n: countWhere(sql`lead.owner_id is null`),
  awaiting_n: countWhere(sql`status = 'new' and first_responded_at is null`),
  reached_lead_n: countWhere(sql`lifecycle_stage <> 'subscriber' or mql_at is not null`),
  reached_mql_n: sql`count(mql_at)`,
  reached_sql_n: sql`count(sql_at)`,
  reached_opportunity_n: sql`count(opportunity_at)`,
  reached_customer_n: sql`count(customer_at)`,
  responded_n: sql`count(first_responded_at)`,
  within_sla_n: countWhere(sql`first_responded_at <= sla_due_at`),
  late_n: countWhere(sql`first_responded_at > sla_due_at`),
  overdue_n: countWhere(sql`${isUnanswered} and sla_breached_at is not null`),
  overdue_open_n: countWhere(sql`${isUnanswered} and sla_breached_at is not null and ${isOpenLead}`),
  pending_n: countWhere(sql`${isUnanswered} and sla_breached_at is null`),
  answered_5m_n: answeredWithin(-1, 5),
  answered_15m_n: answeredWithin(5, 15),
  answered_1h_n: answeredWithin(15, 60),
  answered_4h_n: answeredWithin(60, 240),
  answered_24h_n: answeredWithin(240, 1_440),
  answered_later_n: countWhere(sql`response_ms > ${sql.lit(1_440 * minuteMs)}`),
}
const dealColumns: Record<DealColumn, RawBuilder<unknown>> = {
  won_n: sql`count(*)`,
  won_base_minor: sql`sum(amount_base_minor)`,
}

const sinceCreated = (column: string) => sql`(extract(epoch from ${sql.ref(column)} - lead.created_at) * 1000)::bigint`
const durationMs: Record<DurationMetric, RawBuilder<unknown>> = {
  response: sql`response_ms`,
  // An owner assigned after the first response did not give it.
  assigned: sql`case when assigned_at <= first_responded_at
    then (extract(epoch from first_responded_at - assigned_at) * 1000)::bigint end`,
  mql: sinceCreated('mql_at'),
  sql: sinceCreated('sql_at'),
  opportunity: sinceCreated('opportunity_at'),
  customer: sinceCreated('customer_at'),
}
export const durationMsOf = (metric: DurationMetric) => durationMs[metric]

const ownerIdOrPlaceholder = sql`coalesce(lead.owner_id, ${sql.lit(unassignedOwnerId)}::uuid)`

export const selectRollupColumns = (expressions: Partial<Record<RollupColumn, RawBuilder<unknown>>>) =>
  sql.join(rollupColumns.map((column) => sql`${expressions[column] ?? sql`0`} as ${sql.ref(column)}`))

export const leadCounts = (condition: Expression<SqlBool>) => sql`
  select created_on as day, ${ownerIdOrPlaceholder} as owner_id, source, ${selectRollupColumns(leadColumns)}
  from crm.leads lead where deleted_at is null and ${condition} group by 1, 2, 3
  union all
  select created_on, ${ownerIdOrPlaceholder}, lead.source, ${selectRollupColumns(dealColumns)}
  from crm.leads lead join crm.opportunities deal on deal.lead_id = lead.id
  where lead.deleted_at is null and deal.deleted_at is null and kind = 'won' and ${condition} group by 1, 2, 3`

export const durationCounts = (
  condition: Expression<SqlBool>,
  metrics: readonly DurationMetric[] = durationMetrics,
) => sql`
  select created_on as day, ${ownerIdOrPlaceholder} as owner_id, source, metric,
    width_bucket(ms, ${[...bucketThresholds]}::bigint[]) as bucket, count(*)::integer as n
  from crm.leads lead
    -- unnest() instead of VALUES, which PostgreSQL would initialize again for every lead.
    cross join lateral unnest(${[...metrics]}::text[], array[${sql.join(metrics.map(durationMsOf))}]) as durations (metric, ms)
  where deleted_at is null and ms is not null and ${condition} group by 1, 2, 3, 4, 5`
