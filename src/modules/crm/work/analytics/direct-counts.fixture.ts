import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { isCountedDirectly } from '../../records/fields/rollup-states.queries.ts'
import { selectAnalytics } from './analytics.queries.ts'
import { percentileOf } from './histogram.rules.ts'
import { selectKpis } from './kpis.queries.ts'
import { recountRollups } from './rollups.service.ts'

type Counted = { range: DateRange; now: Date; owner_id?: string; source?: string }

const where = (condition: string) => `count(*) filter (where ${condition})::int`
const columnsOf = (column: string, values: readonly string[], prefix = '') =>
  values.map((value) => [`${prefix}${value.toLowerCase()}_n`, where(`${column} = '${value}'`)])
const answered = (after: string, upTo: string) =>
  where(
    `first_responded_at - created_at > interval '${after}' and first_responded_at - created_at <= interval '${upTo}'`,
  )
const unanswered = 'first_responded_at is null and sla_due_at'

/** Every counter as a plain aggregate over the leads. */
export const directCounts: Record<string, string> = {
  leads: 'count(*)::int',
  score_sum: 'sum(score)::int',
  ...Object.fromEntries([
    ...columnsOf('status', ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified', 'converted']),
    ...columnsOf(
      'lifecycle_stage',
      ['subscriber', 'lead', 'mql', 'sql', 'opportunity', 'customer', 'evangelist'],
      'stage_',
    ),
    ...columnsOf('grade', ['A', 'B', 'C'], 'grade_'),
  ]),
  unassigned_n: where('owner_id is null'),
  awaiting_n: where(`status = 'new' and first_responded_at is null`),
  reached_lead_n: where(`lifecycle_stage <> 'subscriber' or mql_at is not null`),
  reached_mql_n: 'count(mql_at)::int',
  reached_sql_n: 'count(sql_at)::int',
  reached_opportunity_n: 'count(opportunity_at)::int',
  reached_customer_n: 'count(customer_at)::int',
  responded_n: 'count(first_responded_at)::int',
  within_sla_n: where('first_responded_at <= sla_due_at'),
  late_n: where('first_responded_at > sla_due_at'),
  overdue_n: where(`${unanswered} < $now`),
  overdue_open_n: where(`${unanswered} < $now and status not in ('unqualified', 'converted')`),
  pending_n: where(`${unanswered} >= $now`),
  answered_5m_n: where(`first_responded_at - created_at between interval '0' and interval '5 minutes'`),
  answered_15m_n: answered('5 minutes', '15 minutes'),
  answered_1h_n: answered('15 minutes', '1 hour'),
  answered_4h_n: answered('1 hour', '4 hours'),
  answered_24h_n: answered('4 hours', '24 hours'),
  answered_later_n: where(`first_responded_at - created_at > interval '24 hours'`),
  won_n: 'coalesce(sum(won.deals), 0)::int',
  won_base_minor: 'coalesce(sum(won.base_minor), 0)::text',
}

const leadsOf = ({ range, owner_id, source }: Counted) =>
  [
    `deleted_at is null and created_on between '${range.from}' and '${range.to}'`,
    ...(owner_id === undefined ? [] : [`owner_id = '${owner_id}'`]),
    ...(source === undefined ? [] : [`source = '${source}'`]),
  ].join(' and ')

/** Selects the counters from the leads, without rollups. */
function countDirectly(counted: Counted): string {
  const columns = Object.entries(directCounts).map(([name, expression]) => `${expression} as ${name}`)
  const count = (key: string, dimension: string) => `
    select '${dimension}' as dimension, (${key})::text as key, ${columns.join(', ')}
    from crm.leads lead cross join lateral (
      select count(*) as deals, sum(amount_base_minor) as base_minor from crm.opportunities deal
      where deal.lead_id = lead.id and kind = 'won' and deal.deleted_at is null) as won
    where ${leadsOf(counted)} group by 2`
  const ownerId = `coalesce(owner_id, '${nilUuid}')`
  const counts = [count('created_on', 'trend'), count('source', 'source'), count(ownerId, 'owner')].join(' union all ')
  return `select json_agg(counts order by dimension, key) from (${counts.replaceAll('$now', `'${counted.now.toISOString()}'`)}) as counts`
}

const sinceCreated = (column: string) => `extract(epoch from ${column} - created_at) * 1000`
const durations: Record<string, string> = {
  response: sinceCreated('first_responded_at'),
  assigned: `case when assigned_at <= first_responded_at then extract(epoch from first_responded_at - assigned_at) * 1000 end`,
  mql: sinceCreated('mql_at'),
  sql: sinceCreated('sql_at'),
  opportunity: sinceCreated('opportunity_at'),
  customer: sinceCreated('customer_at'),
}

/** Selects percentiles, and the number of leads to which something happened before they were created. */
function measureDirectly(counted: Counted): string {
  const percentile = (metric: string, q: number) =>
    `'${metric} ${q}', percentile_cont(${q}) within group (order by round(${durations[metric]}))`
  const percentiles = [
    ...Object.keys(durations).map((metric) => percentile(metric, 0.5)),
    ...['response', 'assigned'].map((metric) => percentile(metric, 0.9)),
  ]
  const isEarly = ['first_responded_at', 'assigned_at', 'mql_at', 'sql_at', 'opportunity_at', 'customer_at']
    .map((column) => `${column} < created_at`)
    .join(' or ')
  return `select json_build_object('percentiles', json_strip_nulls(json_build_object(${percentiles.join(', ')})),
    'early', ${where(isEarly)}) from crm.leads where ${leadsOf(counted)}`
}

/** Asserts that analytics, KPIs and rollups equal a count of the leads, each compared within one statement: one snapshot. */
export async function assertExactFigures(tx: TenantTx, counted: Counted): Promise<void> {
  const isDirect = await isCountedDirectly(tx, 'leads')
  const { sums, percentiles, direct, measured } = await tx
    .selectFrom(selectAnalytics({ ...counted, isDirect }, 'day').as('analytics'))
    .select(['sums', 'percentiles', sql<object[] | null>`(${sql.raw(countDirectly(counted))})`.as('direct')])
    .select(sql<object>`(${sql.raw(measureDirectly(counted))})`.as('measured'))
    .executeTakeFirstOrThrow()
  const sorted = sums?.sort((one, other) => (one.dimension + one.key < other.dimension + other.key ? -1 : 1)) ?? null
  assert.deepEqual(sorted, direct)
  const exact = percentiles?.map((row) => [`${row.metric} ${row.q}`, percentileOf(row)]) ?? []
  assert.deepEqual({ percentiles: Object.fromEntries(exact), early: 0 }, measured)

  const { range, owner_id, now } = counted
  const kpis = await tx
    .selectFrom(selectKpis({ current: range, previous: range, owner_id, now, isDirect }).as('kpis'))
    .select(['percentiles', sql<object>`(${sql.raw(measureDirectly({ range, owner_id, now }))})`.as('measured')])
    .executeTakeFirstOrThrow()
  const median = (kpis.measured as { percentiles: Record<string, number> }).percentiles['response 0.5']
  assert.equal(kpis.percentiles?.[0]?.ms, median)
}

/** Asserts that all columns of all rollups equal a recount. */
export async function assertExactRollups(tx: TenantTx, days: readonly string[]): Promise<void> {
  assert.equal(await recountRollups(tx, days), 0)
}
