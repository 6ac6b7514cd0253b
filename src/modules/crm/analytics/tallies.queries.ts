import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { thresholds } from './steps.rules.ts'
import { nobody, type Tally, type Timed, tallies, timedThings } from './tallies.rules.ts'

const where = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})`
const inStatus = (status: string) => where(sql`status = ${sql.lit(status)}`)
const inStage = (stage: string) => where(sql`lifecycle_stage = ${sql.lit(stage)}`)
const graded = (grade: string) => where(sql`grade = ${sql.lit(grade)}`)
const minute = 60_000
const answered = (after: number, upTo: number) =>
  where(sql`response_ms > ${sql.lit(after * minute)} and response_ms <= ${sql.lit(upTo * minute)}`)

const isWaiting = sql`first_responded_at is null and sla_due_at is not null`
export const isOpen = sql`status not in ('unqualified', 'converted')`

type DealTally = 'won_n' | 'won_base_minor'
const ofLeads: Record<Exclude<Tally, DealTally>, RawBuilder<unknown>> = {
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
  grade_a_n: graded('A'),
  grade_b_n: graded('B'),
  grade_c_n: graded('C'),
  unassigned_n: where(sql`lead.owner_id is null`),
  awaiting_n: where(sql`status = 'new' and first_responded_at is null`),
  reached_lead_n: where(sql`lifecycle_stage <> 'subscriber' or mql_at is not null`),
  reached_mql_n: sql`count(mql_at)`,
  reached_sql_n: sql`count(sql_at)`,
  reached_opportunity_n: sql`count(opportunity_at)`,
  reached_customer_n: sql`count(customer_at)`,
  responded_n: sql`count(first_responded_at)`,
  within_sla_n: where(sql`first_responded_at <= sla_due_at`),
  late_n: where(sql`first_responded_at > sla_due_at`),
  overdue_n: where(sql`${isWaiting} and sla_breached_at is not null`),
  overdue_open_n: where(sql`${isWaiting} and sla_breached_at is not null and ${isOpen}`),
  pending_n: where(sql`${isWaiting} and sla_breached_at is null`),
  answered_5m_n: answered(-1, 5),
  answered_15m_n: answered(5, 15),
  answered_1h_n: answered(15, 60),
  answered_4h_n: answered(60, 240),
  answered_24h_n: answered(240, 1_440),
  answered_later_n: where(sql`response_ms > ${sql.lit(1_440 * minute)}`),
}
/** And of the deals that were won with them. */
const ofDeals: Record<DealTally, RawBuilder<unknown>> = {
  won_n: sql`count(*)`,
  won_base_minor: sql`sum(amount_base_minor)`,
}

const sinceCreated = (column: string) => sql`(extract(epoch from ${sql.ref(column)} - lead.created_at) * 1000)::bigint`
/** The milliseconds each thing took. */
const timed: Record<Timed, RawBuilder<unknown>> = {
  response: sql`response_ms`,
  // Whoever got the lead after it was answered did not answer it.
  assigned: sql`case when assigned_at <= first_responded_at
    then (extract(epoch from first_responded_at - assigned_at) * 1000)::bigint end`,
  mql: sinceCreated('mql_at'),
  sql: sinceCreated('sql_at'),
  opportunity: sinceCreated('opportunity_at'),
  customer: sinceCreated('customer_at'),
}
export const millisecondsOf = (thing: Timed) => timed[thing]

const ownerOf = sql`coalesce(lead.owner_id, ${sql.lit(nobody)}::uuid)`

/** A list of columns: those that are counted, and nothing for the others. */
export const columns = (counted: Partial<Record<Tally, RawBuilder<unknown>>>) =>
  sql.join(tallies.map((tally) => sql`${counted[tally] ?? sql`0`} as ${sql.ref(tally)}`))

/** Counts leads as they are now, by day, owner and source: those that `condition` holds for. */
export const countLeads = (condition: Expression<SqlBool>) => sql`
  select created_on as day, ${ownerOf} as owner_id, source, ${columns(ofLeads)}
  from crm.leads lead where deleted_at is null and ${condition} group by 1, 2, 3
  union all
  select created_on, ${ownerOf}, lead.source, ${columns(ofDeals)}
  from crm.leads lead join crm.opportunities deal on deal.lead_id = lead.id
  where lead.deleted_at is null and deal.deleted_at is null and kind = 'won' and ${condition} group by 1, 2, 3`

/** Counts how long things took, by day, owner, source, thing and step. */
export const countTimes = (condition: Expression<SqlBool>, things: readonly Timed[] = timedThings) => sql`
  select created_on as day, ${ownerOf} as owner_id, source, thing,
    width_bucket(ms, ${[...thresholds]}::bigint[]) as step, count(*)::integer as n
  from crm.leads lead
    -- Not as a list of values, which would be prepared anew for every lead.
    cross join lateral unnest(${[...things]}::text[], array[${sql.join(things.map((thing) => timed[thing]))}]) as took (thing, ms)
  where deleted_at is null and ms is not null and ${condition} group by 1, 2, 3, 4, 5`
