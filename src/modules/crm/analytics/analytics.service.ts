import { activeUsersAmong, namesOfUsers, readSettings } from '#modules/identity'
import type { SignedIn } from '#platform/access'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import { readCrmSettings } from '../settings/crm-settings.queries.ts'
import { readAnalytics } from './analytics.queries.ts'
import type { AnalyticsQuery, LeadAnalytics } from './analytics.schemas.ts'
import { bucketsIn, spanOf } from './days.rules.ts'
import { fairnessOf, rateOf, round, withinSlaRate } from './figures.rules.ts'
import { funnelOf, speedOf, timesFrom } from './journey.rules.ts'
import { sourceReturns } from './sources.service.ts'
import { addUp, nobody, nothing, openOf, type Totals, totalsByKey } from './tallies.rules.ts'

/** What became of the leads that were created in a span of days, until now. */
export async function analyseLeads(
  tx: TenantTx,
  actor: SignedIn,
  { granularity, source, ...query }: AnalyticsQuery,
  now: Date,
): Promise<LeadAnalytics> {
  const { timezone, currency } = await readSettings(tx, 'general')
  const span = spanOf(query, dayAt(now, timezone))
  const owner_id = query.owner_id === 'me' ? actor.userId : query.owner_id
  const answer = await readAnalytics(tx, { span, owner_id, source, now }, granularity)
  const sums = answer.sums ?? []
  const all = addUp(sums.filter(({ part }) => part === 'bucket'))
  const times = timesFrom(answer)
  const sources = await sourceReturns(tx, totalsByKey(sums, 'source'), span, currency)
  const buckets = totalsByKey(sums, 'bucket')
  return {
    ...span,
    as_of: now,
    approximate: answer.times === null,
    funnel: funnelOf(all, times),
    sources: sources
      .filter(({ key }) => source === undefined || key === source)
      .map((one) => (owner_id === undefined ? one : { ...one, cost: null, cost_per_lead: null, roi: null })),
    speed_to_lead: speedOf(all, times),
    owner_fairness: await fairness(tx, totalsByKey(sums, 'owner'), owner_id),
    trend: bucketsIn(span, granularity).map((bucket_on) => {
      const { leads, score_sum, ...of } = buckets.get(bucket_on) ?? nothing
      return {
        bucket_on,
        created: leads,
        mql: of.reached_mql_n,
        converted: of.converted_n,
        won_amount: toMoney(of.won_base_minor, currency),
        average_score: leads ? round(score_sum / leads, 2) : null,
      }
    }),
  }
}

/** Over those who are given leads and those who have some, as far as they are active. */
async function fairness(tx: TenantTx, sums: ReadonlyMap<string, Totals>, ownerId: string | undefined) {
  const { assignment } = await readCrmSettings(tx)
  const eligible = ownerId === undefined ? [...assignment.owner_ids, ...sums.keys()] : [ownerId]
  const active = await activeUsersAmong(
    tx,
    eligible.filter((id) => id !== nobody),
  )
  const names = await namesOfUsers(tx, active)
  const each = [...active].map((id) => ({ owner: { id, name: names.get(id) ?? '' }, of: sums.get(id) ?? nothing }))
  const leads = each.reduce((sum, { of }) => sum + of.leads, 0)
  const owners = each.map(({ owner, of }) => ({
    owner,
    leads: of.leads,
    score_sum: of.score_sum,
    share_rate: rateOf(of.leads, leads),
    open: openOf(of),
    within_sla_rate: withinSlaRate(of),
    converted: of.converted_n,
  }))
  return {
    by_leads: fairnessOf(owners.map((one) => one.leads)),
    by_score: fairnessOf(owners.map((one) => one.score_sum)),
    owners: owners.sort((one, other) => other.leads - one.leads || (one.owner.id < other.owner.id ? -1 : 1)),
  }
}
