import type { SignedIn } from '#platform/access'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { statuses } from '../leads/status.rules.ts'
import { ladder } from '../persons/life-cycle.rules.ts'
import { timezoneOf } from '../settings/crm-settings.queries.ts'
import type { KpiQuery, LeadKpis } from './analytics.schemas.ts'
import { periodsOf } from './days.rules.ts'
import { changeOf, rateOf, round, toSeconds, withinSlaRate } from './figures.rules.ts'
import { type Middle, readKpis } from './kpis.queries.ts'
import { addUp, openOf } from './tallies.rules.ts'

/** How the leads stand now, and what the last days brought against the days before. */
export async function leadKpis(
  tx: TenantTx,
  actor: SignedIn,
  { period_days, owner_id }: KpiQuery,
  now: Date,
): Promise<LeadKpis> {
  const periods = periodsOf(period_days, dayAt(now, await timezoneOf(tx)))
  const owner = owner_id === 'me' ? actor.userId : owner_id
  const { sums, middle } = await readKpis(tx, { ...periods, owner_id: owner, now })
  const of = (period: string) => addUp((sums ?? []).filter(({ key }) => key === period))
  const [current, previous, all] = [of('current'), of('previous'), addUp(sums ?? [])]
  return {
    as_of: now,
    period_days,
    total: all.leads,
    open: openOf(all),
    unassigned: all.unassigned_n,
    awaiting_first_response: all.awaiting_n,
    sla_breached_open: all.overdue_open_n,
    by_status: Object.fromEntries(statuses.map((status) => [status, all[`${status}_n`]])),
    by_lifecycle_stage: Object.fromEntries(ladder.map((stage) => [stage, all[`stage_${stage}_n`]])),
    by_grade: { A: all.grade_a_n, B: all.grade_b_n, C: all.grade_c_n },
    average_score: all.leads ? round(all.score_sum / all.leads, 2) : null,
    created: changeOf(current.leads, previous.leads),
    converted: changeOf(current.converted_n, previous.converted_n),
    conversion_rate: rateOf(current.converted_n, current.leads),
    median_first_response_seconds: toSeconds(middle && (middle.ms ?? estimate(middle))),
    approximate: middle !== null && middle.ms === null,
    within_sla_rate: withinSlaRate(current),
  }
}

/** As if the times between the two limits lay evenly. */
const estimate = ({ lower, upper, before, n, total }: Middle): number =>
  lower + ((upper - lower) * (total / 2 - before)) / n
