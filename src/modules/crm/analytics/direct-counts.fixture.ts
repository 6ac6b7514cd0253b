import type pg from 'pg'
import type { DateRange } from '#platform/calendar'
import { nilUuid } from '#platform/ids'

type Counted = { tenantId: string; range: DateRange; now: Date }

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
  overdue_n: where(`${unanswered} < $2`),
  overdue_open_n: where(`${unanswered} < $2 and status not in ('unqualified', 'converted')`),
  pending_n: where(`${unanswered} >= $2`),
  answered_5m_n: where(`first_responded_at - created_at between interval '0' and interval '5 minutes'`),
  answered_15m_n: answered('5 minutes', '15 minutes'),
  answered_1h_n: answered('15 minutes', '1 hour'),
  answered_4h_n: answered('1 hour', '4 hours'),
  answered_24h_n: answered('4 hours', '24 hours'),
  answered_later_n: where(`first_responded_at - created_at > interval '24 hours'`),
  won_n: 'coalesce(sum(won.deals), 0)::int',
  won_base_minor: 'coalesce(sum(won.base_minor), 0)::text',
}

/** Counts directly, without rollups. */
export async function countDirectly(owner: pg.Pool, { tenantId, range, now }: Counted) {
  const columns = Object.entries(directCounts).map(([name, expression]) => `${expression} as ${name}`)
  const count = (key: string, dimension: string) => `
    select '${dimension}' as dimension, (${key})::text as key, ${columns.join(', ')}
    from crm.leads lead cross join lateral (
      select count(*) as deals, sum(amount_base_minor) as base_minor from crm.opportunities deal
      where deal.lead_id = lead.id and kind = 'won' and deal.deleted_at is null) as won
    where tenant_id = $1 and deleted_at is null and created_on between '${range.from}' and '${range.to}'
    group by 2`
  const ownerId = `coalesce(owner_id, '${nilUuid}')`
  const { rows } = await owner.query(
    `${count('created_on', 'trend')} union all ${count('source', 'source')} union all ${count(ownerId, 'owner')} order by 1, 2`,
    [tenantId, now],
  )
  return rows
}

/** The median response time, and the number of leads to which something happened before they were created. */
export async function measureDirectly(owner: pg.Pool, { tenantId, range }: Counted) {
  const isEarly = ['first_responded_at', 'assigned_at', 'mql_at', 'sql_at', 'opportunity_at', 'customer_at']
    .map((column) => `${column} < created_at`)
    .join(' or ')
  const { rows } = await owner.query(
    `select percentile_cont(0.5) within group (order by extract(epoch from first_responded_at - created_at) * 1000) as median,
       ${where(isEarly)} as early
     from crm.leads where tenant_id = $1 and deleted_at is null and created_on between '${range.from}' and '${range.to}'`,
    [tenantId],
  )
  return rows[0]
}
