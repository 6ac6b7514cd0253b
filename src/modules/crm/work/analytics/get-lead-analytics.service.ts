import { filterActiveUserIds, findUserNames, readSettings, resolveOwnerId } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { readAnalytics } from './analytics.queries.ts'
import type { AnalyticsQuery, LeadAnalytics } from './analytics.schemas.ts'
import { resolveDateRange, trendBucketsIn } from './date-range.rules.ts'
import { durationQuantilesFrom, funnelOf, speedToLeadOf } from './funnel.rules.ts'
import { listSourceReturns } from './list-lead-sources.service.ts'
import { calculateFairness, rateOf, round, withinSlaRate } from './metrics.rules.ts'
import {
  emptyTotals,
  type LeadTotals,
  openLeadsOf,
  sumTotals,
  totalsByKey,
  unassignedOwnerId,
} from './rollup-columns.rules.ts'
import { requestFold } from './rollups.jobs.ts'

export async function getLeadAnalytics(
  tx: TenantTx,
  actor: UserActor,
  { granularity, source, ...query }: AnalyticsQuery,
  now: Date,
): Promise<LeadAnalytics> {
  const { timezone, currency } = await readSettings(tx, 'general')
  const range = resolveDateRange(query, dayInTimezone(now, timezone))
  const owner_id = resolveOwnerId(query.owner_id, actor)
  const analytics = await readAnalytics(tx, { range, owner_id, source, now }, granularity)
  await requestFold(tx, analytics.unfolded)
  const sums = analytics.sums ?? []
  const all = sumTotals(sums.filter(({ dimension }) => dimension === 'trend'))
  const percentiles = analytics.percentiles ?? []
  const durations = durationQuantilesFrom(percentiles)
  const sources = await listSourceReturns(tx, totalsByKey(sums, 'source'), range, currency)
  const trend = totalsByKey(sums, 'trend')
  return {
    ...range,
    as_of: now,
    approximate: percentiles.some(({ ms }) => ms === null),
    funnel: funnelOf(all, durations),
    sources: sources
      .filter(({ key }) => source === undefined || key === source)
      .map((one) => (owner_id === undefined ? one : { ...one, cost: null, cost_per_lead: null, roi: null })),
    speed_to_lead: speedToLeadOf(all, durations),
    owner_fairness: await getOwnerFairness(tx, totalsByKey(sums, 'owner'), owner_id),
    trend: trendBucketsIn(range, granularity).map((bucket_on) => {
      const { leads, score_sum, ...totals } = trend.get(bucket_on) ?? emptyTotals
      return {
        bucket_on,
        created: leads,
        mql: totals.reached_mql_n,
        converted: totals.converted_n,
        won_amount: toMoney(totals.won_base_minor, currency),
        average_score: leads ? round(score_sum / leads, 2) : null,
      }
    }),
  }
}

/** Covers active users who own leads or take part in lead assignment. */
async function getOwnerFairness(
  tx: TenantTx,
  totalsByOwner: ReadonlyMap<string, LeadTotals>,
  ownerId: string | undefined,
) {
  const { assignment } = await readCrmSettings(tx)
  const candidates = ownerId === undefined ? [...assignment.owner_ids, ...totalsByOwner.keys()] : [ownerId]
  const active = await filterActiveUserIds(
    tx,
    candidates.filter((id) => id !== unassignedOwnerId),
  )
  const names = await findUserNames(tx, active)
  const rows = [...active].map((id) => ({
    owner: { id, name: names.get(id) ?? '' },
    totals: totalsByOwner.get(id) ?? emptyTotals,
  }))
  const leads = rows.reduce((sum, { totals }) => sum + totals.leads, 0)
  const owners = rows.map(({ owner, totals }) => ({
    owner,
    leads: totals.leads,
    score_sum: totals.score_sum,
    share_rate: rateOf(totals.leads, leads),
    open: openLeadsOf(totals),
    within_sla_rate: withinSlaRate(totals),
    converted: totals.converted_n,
  }))
  return {
    by_leads: calculateFairness(owners.map((owner) => owner.leads)),
    by_score: calculateFairness(owners.map((owner) => owner.score_sum)),
    owners: owners.sort((one, other) => other.leads - one.leads || (one.owner.id < other.owner.id ? -1 : 1)),
  }
}
