import { resolveOwnerId, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { leadStatuses } from '../../people/lead-records/leads.rules.ts'
import { lifecycleStages } from '../../records/person-keys/lifecycle.rules.ts'
import type { KpiQuery, LeadKpis } from './analytics.schemas.ts'
import { comparedPeriods } from './date-range.rules.ts'
import { type PercentileRow, percentileOf } from './histogram.rules.ts'
import { readKpis } from './kpis.queries.ts'
import { compareCounts, rateOf, round, toSeconds, withinSlaRate } from './metrics.rules.ts'
import { openLeadsOf, sumTotals } from './rollup-columns.rules.ts'
import { requestFold } from './rollups.jobs.ts'

export async function getLeadKpis(
  tx: TenantTx,
  actor: UserActor,
  { period_days, owner_id }: KpiQuery,
  now: Date,
): Promise<LeadKpis> {
  const periods = comparedPeriods(period_days, dayInTimezone(now, await timezoneOf(tx)))
  const { sums, percentiles, previous_percentiles, unfolded } = await readKpis(tx, {
    ...periods,
    owner_id: resolveOwnerId(owner_id, actor),
    now,
  })
  await requestFold(tx, unfolded)
  const totalsOf = (period: string) => sumTotals((sums ?? []).filter(({ key }) => key === period))
  const [current, previous, all] = [totalsOf('current'), totalsOf('previous'), sumTotals(sums ?? [])]
  return {
    as_of: now,
    period_days,
    total: all.leads,
    open: openLeadsOf(all),
    unassigned: all.unassigned_n,
    awaiting_first_response: all.awaiting_n,
    sla_breached_open: all.overdue_open_n,
    by_status: Object.fromEntries(leadStatuses.map((status) => [status, all[`${status}_n`]])),
    by_lifecycle_stage: Object.fromEntries(lifecycleStages.map((stage) => [stage, all[`stage_${stage}_n`]])),
    by_grade: { A: all.grade_a_n, B: all.grade_b_n, C: all.grade_c_n },
    average_score: all.leads ? round(all.score_sum / all.leads, 2) : null,
    created: compareCounts(current.leads, previous.leads),
    converted: compareCounts(current.converted_n, previous.converted_n),
    conversion_rate: rateOf(current.converted_n, current.leads),
    median_first_response_seconds: medianOf(percentiles),
    previous_median_first_response_seconds: medianOf(previous_percentiles),
    approximate: percentiles?.[0]?.ms === null,
    within_sla_rate: withinSlaRate(current),
  }
}

const comparedDays = 30

/** Figures of the leads of one owner; the medians cover the last 30 days and the 30 days before. */
export async function getLeadKpisOfOwner(tx: TenantTx, ownerId: string, { today, now }: { today: string; now: Date }) {
  const periods = comparedPeriods(comparedDays, today)
  const { sums, percentiles, previous_percentiles, unfolded } = await readKpis(tx, {
    ...periods,
    owner_id: ownerId,
    now,
  })
  await requestFold(tx, unfolded)
  const all = sumTotals(sums ?? [])
  return {
    awaiting_first_response: all.awaiting_n,
    breached: all.overdue_open_n,
    open: openLeadsOf(all),
    median_first_response_seconds: medianOf(percentiles),
    previous_median_first_response_seconds: medianOf(previous_percentiles),
  }
}

function medianOf(percentiles: readonly PercentileRow[] | null): number | null {
  const median = percentiles?.[0]
  return toSeconds(median ? percentileOf(median) : null)
}
