import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { enumList, Id, listQuery, named, nullable, Reference, sortOrder, strict, Timestamp } from '#platform/schema'

const count = Type.Integer({ minimum: 0 })
const rate = nullable(Type.Number())
const ModelAmounts = strict({ won_amount: Money, open_amount: Money })

export const CampaignKpis = named(
  'CampaignKpis',
  strict({
    members: count,
    leads: Type.Integer({ minimum: 0, description: 'Members who are not contacts yet.' }),
    contacts: count,
    responded: count,
    response_rate: rate,
    by_status: Type.Record(Type.String(), count),
    new_leads: Type.Integer({
      minimum: 0,
      description: 'Leads whose first campaign this is, created at most seven days before they were added.',
    }),
    mqls: Type.Integer({ minimum: 0, description: 'Members whose lead has become an MQL.' }),
    sqls: Type.Integer({ minimum: 0, description: 'Members whose lead has become an SQL.' }),
    converted: Type.Integer({ minimum: 0, description: 'Members whose lead was converted.' }),
    opportunities: strict({ influenced: count, open: count, won: count, open_amount: Money, won_amount: Money }),
    attribution: strict({ first_touch: ModelAmounts, last_touch: ModelAmounts, linear: ModelAmounts }),
    budget: nullable(Money),
    actual_cost: nullable(Money),
    budget_used_rate: rate,
    cost_per_lead: nullable(Money),
    cost_per_response: nullable(Money),
    roi: nullable(strict({ first_touch: Type.Number(), last_touch: Type.Number(), linear: Type.Number() })),
    by_week: Type.Array(
      strict({
        bucket_on: Type.String({ format: 'date', description: 'Monday of the week.' }),
        added: Type.Integer({ minimum: 0, description: 'Members who were added in the week.' }),
        responded: Type.Integer({ minimum: 0, description: 'Members who first responded in the week.' }),
      }),
      {
        maxItems: 26,
        description: 'The last 26 weeks, oldest first, the current one included, in the time zone of the workspace.',
      },
    ),
    as_of: Timestamp,
  }),
)
export type CampaignKpis = Static<typeof CampaignKpis>

export const KpiQuery = strict({
  include_children: Type.Boolean({ default: false, description: 'Adds the campaigns below this one.' }),
})

const kinds = ['open', 'won', 'lost'] as const

export const InfluencedOpportunity = named(
  'InfluencedOpportunity',
  strict({
    opportunity: Reference,
    account: nullable(Reference),
    amount: nullable(Money),
    kind: Type.Enum([...kinds]),
    touch_at: Timestamp,
    position: Type.Integer({ minimum: 1 }),
    of: Type.Integer({ minimum: 1 }),
    credit: strict({ first_touch: Money, last_touch: Money, linear: Money }),
  }),
)
export type InfluencedOpportunity = Static<typeof InfluencedOpportunity>

export const InfluencedQuery = listQuery({
  kind: Type.Optional(enumList([...kinds])),
  sort: sortOrder(['-amount', 'amount'], 'Amount in the base currency.'),
})
export type InfluencedQuery = Static<typeof InfluencedQuery>

export const KpiParams = strict({ campaign_id: Id })
