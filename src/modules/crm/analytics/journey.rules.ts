import { rateOf, toDays, toSeconds, withinSlaRate } from './figures.rules.ts'
import { type Step, timeAt } from './steps.rules.ts'
import { type Timed, type Totals, timedThings } from './tallies.rules.ts'

/** In milliseconds: what half of all took no longer than, and what nine tenths took no longer than. */
type Percentiles = { median: number | null; p90: number | null }
export type Times = Record<Timed, Percentiles>

type Found = {
  times: Record<Timed, readonly number[] | null> | null
  steps: readonly (Step & { thing: Timed })[] | null
}

/** The exact times where they were read, else what the steps tell. */
export function timesFrom({ times, steps }: Found): Times {
  const entries = timedThings.map((thing) => {
    if (times) return [thing, { median: times[thing]?.[0] ?? null, p90: times[thing]?.[1] ?? null }] as const
    const counted = (steps ?? []).filter((one) => one.thing === thing)
    return [thing, { median: timeAt(0.5, counted), p90: timeAt(0.9, counted) }] as const
  })
  return Object.fromEntries(entries) as Times
}

/** How far the leads have come. Where they begin takes no time. */
export function funnelOf(of: Totals, times: Times) {
  const stages = ['lead', 'mql', 'sql', 'opportunity', 'customer'] as const
  return stages.map((stage, place) => {
    const reached = of[`reached_${stage}_n`]
    const before = stages[place - 1]
    const start = reached > 0 ? 0 : null
    return {
      stage,
      reached,
      from_previous_rate: before === undefined ? null : rateOf(reached, of[`reached_${before}_n`]),
      from_first_rate: rateOf(reached, of.reached_lead_n),
      median_days_from_created: stage === 'lead' ? start : toDays(times[stage].median),
    }
  })
}

/** How soon leads were first answered. Late answers and missing ones are both breaches. */
export function speedOf(of: Totals, { response, assigned }: Times) {
  const spans = ['5m', '15m', '1h', '4h', '24h'] as const
  const seconds = ({ median, p90 }: Percentiles) => ({ median_seconds: toSeconds(median), p90_seconds: toSeconds(p90) })
  return {
    leads: of.leads,
    responded: of.responded_n,
    within_sla: of.within_sla_n,
    breached: of.late_n + of.overdue_n,
    pending: of.pending_n,
    within_sla_rate: withinSlaRate(of),
    from_created: seconds(response),
    from_assigned: seconds(assigned),
    buckets: [
      ...spans.map((within) => ({ within, leads: of[`answered_${within}_n`] })),
      { within: 'longer' as const, leads: of.answered_later_n },
      { within: 'none' as const, leads: of.leads - of.responded_n },
    ],
  }
}
