import { type Static, type TProperties, Type } from 'typebox'
import { Money } from '#platform/money'
import { CalendarDay, named, nullable, Reference, strict, Timestamp } from '#platform/schema'
import { leadStatuses } from '../../people/lead-records/leads.rules.ts'
import { leadFilters, SourceKey } from '../../people/lead-records/leads.schemas.ts'
import { LeadSourceChannel } from '../../people/lead-sources/lead-sources.schemas.ts'
import { lifecycleStages } from '../../records/person-keys/lifecycle.rules.ts'

const Count = Type.Integer({ minimum: 0 })
const rate = nullable(Type.Number())
const number = nullable(Type.Number())
const Day = Type.String({ format: 'date' })
const countsBy = (keys: readonly string[]) =>
  strict(Object.fromEntries(keys.map((key) => [key, Count])) as TProperties & Record<string, typeof Count>)

const Change = strict({
  current: Count,
  previous: Count,
  change_rate: nullable(Type.Number({ description: 'Change relative to `previous`; null if `previous` is 0.' })),
})

export const LeadKpis = named(
  'LeadKpis',
  strict({
    as_of: Timestamp,
    period_days: Count,
    total: Count,
    open: Count,
    unassigned: Count,
    awaiting_first_response: Count,
    sla_breached_open: Type.Integer({
      minimum: 0,
      description: 'Open leads past their SLA deadline without a first response.',
    }),
    by_status: countsBy(leadStatuses),
    by_lifecycle_stage: countsBy(lifecycleStages),
    by_grade: countsBy(['A', 'B', 'C']),
    average_score: number,
    created: Change,
    converted: Change,
    conversion_rate: rate,
    median_first_response_seconds: number,
    previous_median_first_response_seconds: nullable(
      Type.Number({ description: 'Median of the leads created in the period of the same length before.' }),
    ),
    approximate: Type.Boolean({
      description: 'Whether the median is an estimate: only if the period has more than 200,000 leads.',
    }),
    within_sla_rate: rate,
  }),
)
export type LeadKpis = Static<typeof LeadKpis>

const sourceFigures = {
  key: Type.String(),
  label: Type.String(),
  channel: LeadSourceChannel,
  is_active: Type.Boolean(),
  leads: Count,
  open: Count,
  converted: Count,
  conversion_rate: rate,
  won_amount: Money,
  cost: Money,
  cost_per_lead: nullable(Money),
  roi: nullable(Type.Number({ description: 'Return on investment: won amount minus cost, divided by cost.' })),
}
export const SourceReturns = named('SourceReturns', strict({ items: Type.Array(strict(sourceFigures)), total: Count }))
export type SourceReturn = Static<ReturnType<typeof strict<typeof sourceFigures>>>

const FunnelStep = strict({
  stage: Type.Enum(['lead', 'mql', 'sql', 'opportunity', 'customer']),
  reached: Count,
  from_previous_rate: rate,
  from_first_rate: rate,
  median_days_from_created: number,
})
const Percentiles = strict({ median_seconds: number, p90_seconds: number })

const SpeedToLead = strict({
  leads: Count,
  responded: Count,
  within_sla: Count,
  breached: Count,
  pending: Count,
  within_sla_rate: rate,
  from_created: Percentiles,
  from_assigned: Percentiles,
  buckets: Type.Array(strict({ within: Type.Enum(['5m', '15m', '1h', '4h', '24h', 'longer', 'none']), leads: Count }), {
    description: 'Leads by first response time; each bucket excludes the previous ones. `none`: not answered.',
  }),
})

const Fairness = strict({ jain: number, gini: number })
const OwnerFairness = strict({
  by_leads: Fairness,
  by_score: Fairness,
  owners: Type.Array(
    strict({
      owner: Reference,
      leads: Count,
      score_sum: Count,
      share_rate: rate,
      open: Count,
      within_sla_rate: rate,
      converted: Count,
    }),
  ),
})

const TrendBucket = strict({
  bucket_on: Day,
  created: Count,
  mql: Count,
  converted: Count,
  won_amount: Money,
  average_score: number,
})

// Spend is not recorded per owner, so the cost is null when filtering by owner.
const { cost, ...withoutCost } = sourceFigures
export const LeadAnalytics = named(
  'LeadAnalytics',
  strict({
    from: Day,
    to: Day,
    as_of: Timestamp,
    approximate: Type.Boolean({
      description: 'Whether some medians and percentiles are estimates: only if the range has more than 200,000 leads.',
    }),
    funnel: Type.Array(FunnelStep),
    sources: Type.Array(
      strict({
        ...withoutCost,
        cost: nullable(cost),
      }),
    ),
    speed_to_lead: SpeedToLead,
    owner_fairness: OwnerFairness,
    trend: Type.Array(TrendBucket),
  }),
)
export type LeadAnalytics = Static<typeof LeadAnalytics>

const { owner_id } = leadFilters
const days = { from: Type.Optional(CalendarDay), to: Type.Optional(CalendarDay) }

export const KpiQuery = strict({ owner_id, period_days: Type.Integer({ minimum: 1, maximum: 365, default: 30 }) })
export type KpiQuery = Static<typeof KpiQuery>

export const SourcesQuery = strict({ ...days, include_inactive: Type.Boolean({ default: false }) })
export type SourcesQuery = Static<typeof SourcesQuery>

export const AnalyticsQuery = strict({
  ...days,
  owner_id,
  source: Type.Optional(SourceKey),
  granularity: Type.Enum(['day', 'week', 'month'], { default: 'week' }),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>
