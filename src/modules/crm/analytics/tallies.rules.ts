/** What is counted of the leads of a day. Most end in `_n`; the columns of the counts have the same names. */
export const tallies = [
  ...(['leads', 'score_sum', 'new_n', 'contacted_n', 'working_n', 'nurturing_n', 'qualified_n'] as const),
  ...(['unqualified_n', 'converted_n', 'stage_subscriber_n', 'stage_lead_n', 'stage_mql_n', 'stage_sql_n'] as const),
  ...(['stage_opportunity_n', 'stage_customer_n', 'stage_evangelist_n', 'grade_a_n', 'grade_b_n'] as const),
  ...(['grade_c_n', 'unassigned_n', 'awaiting_n', 'reached_lead_n', 'reached_mql_n', 'reached_sql_n'] as const),
  ...(['reached_opportunity_n', 'reached_customer_n', 'responded_n', 'within_sla_n', 'late_n'] as const),
  ...(['overdue_n', 'overdue_open_n', 'pending_n', 'answered_5m_n', 'answered_15m_n'] as const),
  ...(['answered_1h_n', 'answered_4h_n', 'answered_24h_n', 'answered_later_n', 'won_n', 'won_base_minor'] as const),
] as const
export type Tally = (typeof tallies)[number]

/** Things whose time is counted: the first response since capture and since assignment, and each stage. */
export const timedThings = ['response', 'assigned', 'mql', 'sql', 'opportunity', 'customer'] as const
export type Timed = (typeof timedThings)[number]

/** The owner of what nobody owns, where something must stand. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** Counts under a key of some part of an answer. Money comes as text. */
export type Sums = Record<Exclude<Tally, 'won_base_minor'>, number> & {
  part: string
  key: string
  won_base_minor: string
}
/** Counts of some leads, with money that may outgrow a number. */
export type Totals = Omit<Sums, 'part' | 'key' | 'won_base_minor'> & { won_base_minor: bigint }

export function addUp(all: readonly Sums[]): Totals {
  const names = tallies.filter((tally) => tally !== 'won_base_minor')
  const sums = names.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)])
  const won_base_minor = all.reduce((sum, one) => sum + BigInt(one.won_base_minor), 0n)
  return { ...(Object.fromEntries(sums) as Omit<Totals, 'won_base_minor'>), won_base_minor }
}

/** The sums of a part under each of its keys. */
export const totalsByKey = (sums: readonly Sums[], part: string): Map<string, Totals> =>
  new Map(sums.filter((one) => one.part === part).map((one) => [one.key, addUp([one])]))

export const nothing: Totals = addUp([])

export const openOf = ({ leads, unqualified_n, converted_n }: Totals): number => leads - unqualified_n - converted_n
