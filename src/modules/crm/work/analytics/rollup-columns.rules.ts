import { nilUuid } from '#platform/ids'

/** Counters of a rollup row; the names are the column names of `crm.lead_rollups`. */
export const rollupColumns = [
  'leads',
  'score_sum',
  'new_n',
  'contacted_n',
  'working_n',
  'nurturing_n',
  'qualified_n',
  'unqualified_n',
  'converted_n',
  'stage_subscriber_n',
  'stage_lead_n',
  'stage_mql_n',
  'stage_sql_n',
  'stage_opportunity_n',
  'stage_customer_n',
  'stage_evangelist_n',
  'grade_a_n',
  'grade_b_n',
  'grade_c_n',
  'unassigned_n',
  'awaiting_n',
  'reached_lead_n',
  'reached_mql_n',
  'reached_sql_n',
  'reached_opportunity_n',
  'reached_customer_n',
  'responded_n',
  'within_sla_n',
  'late_n',
  'overdue_n',
  'overdue_open_n',
  'pending_n',
  'answered_5m_n',
  'answered_15m_n',
  'answered_1h_n',
  'answered_4h_n',
  'answered_24h_n',
  'answered_later_n',
  'won_n',
  'won_base_minor',
] as const
export type RollupColumn = (typeof rollupColumns)[number]

export const durationMetrics = ['response', 'assigned', 'mql', 'sql', 'opportunity', 'customer'] as const
export type DurationMetric = (typeof durationMetrics)[number]

/** Placeholder owner id for unassigned leads (the column is not nullable). */
export const unassignedOwnerId = nilUuid

/** Counters of one key of a dimension. Money is text because it may exceed a safe integer. */
export type RollupSums = Record<Exclude<RollupColumn, 'won_base_minor'>, number> & {
  dimension: string
  key: string
  won_base_minor: string
}
export type LeadTotals = Omit<RollupSums, 'dimension' | 'key' | 'won_base_minor'> & { won_base_minor: bigint }

export function sumTotals(all: readonly RollupSums[]): LeadTotals {
  const names = rollupColumns.filter((column) => column !== 'won_base_minor')
  const sums = names.map((name) => [name, all.reduce((sum, row) => sum + row[name], 0)])
  const won_base_minor = all.reduce((sum, row) => sum + BigInt(row.won_base_minor), 0n)
  return { ...(Object.fromEntries(sums) as Omit<LeadTotals, 'won_base_minor'>), won_base_minor }
}

export const totalsByKey = (sums: readonly RollupSums[], dimension: string): Map<string, LeadTotals> =>
  new Map(sums.filter((row) => row.dimension === dimension).map((row) => [row.key, sumTotals([row])]))

export const emptyTotals: LeadTotals = sumTotals([])

export const openLeadsOf = ({ leads, unqualified_n, converted_n }: LeadTotals): number =>
  leads - unqualified_n - converted_n
