import { type PercentileRow, percentileOf } from './histogram.rules.ts'
import { rateOf, toDays, toSeconds, withinSlaRate } from './metrics.rules.ts'
import { type DurationMetric, durationMetrics, type LeadTotals } from './rollup-columns.rules.ts'

/** In milliseconds. */
type Quantiles = { median: number | null; p90: number | null }
export type DurationQuantiles = Record<DurationMetric, Quantiles>

export function durationQuantilesFrom(percentiles: readonly PercentileRow[]): DurationQuantiles {
  const find = (metric: DurationMetric, q: number) => {
    const percentile = percentiles.find((row) => row.metric === metric && row.q === q)
    return percentile ? percentileOf(percentile) : null
  }
  const entries = durationMetrics.map((metric) => [metric, { median: find(metric, 0.5), p90: find(metric, 0.9) }])
  return Object.fromEntries(entries) as DurationQuantiles
}

export function funnelOf(totals: LeadTotals, durations: DurationQuantiles) {
  const stages = ['lead', 'mql', 'sql', 'opportunity', 'customer'] as const
  return stages.map((stage, index) => {
    const reached = totals[`reached_${stage}_n`]
    const previousStage = stages[index - 1]
    const atCreation = reached > 0 ? 0 : null
    return {
      stage,
      reached,
      from_previous_rate: previousStage === undefined ? null : rateOf(reached, totals[`reached_${previousStage}_n`]),
      from_first_rate: rateOf(reached, totals.reached_lead_n),
      median_days_from_created: stage === 'lead' ? atCreation : toDays(durations[stage].median),
    }
  })
}

/** Late and missing first responses both count as breaches. */
export function speedToLeadOf(totals: LeadTotals, { response, assigned }: DurationQuantiles) {
  const limits = ['5m', '15m', '1h', '4h', '24h'] as const
  const seconds = ({ median, p90 }: Quantiles) => ({ median_seconds: toSeconds(median), p90_seconds: toSeconds(p90) })
  return {
    leads: totals.leads,
    responded: totals.responded_n,
    within_sla: totals.within_sla_n,
    breached: totals.late_n + totals.overdue_n,
    pending: totals.pending_n,
    within_sla_rate: withinSlaRate(totals),
    from_created: seconds(response),
    from_assigned: seconds(assigned),
    buckets: [
      ...limits.map((within) => ({ within, leads: totals[`answered_${within}_n`] })),
      { within: 'longer' as const, leads: totals.answered_later_n },
      { within: 'none' as const, leads: totals.leads - totals.responded_n },
    ],
  }
}
