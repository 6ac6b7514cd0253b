import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import { Money } from '#platform/money'
import {
  CalendarDay,
  clearable,
  enumList,
  Id,
  Line,
  listOf,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { campaignStatuses } from './campaign-status.rules.ts'
import { campaignTypes } from './default-statuses.rules.ts'

const text = nullable(Type.String())
const id = nullable(Id)
const money = nullable(Money)
const day = nullable(Type.String({ format: 'date' }))
const count = Type.Integer({ minimum: 0 })

export const StatusKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  minLength: 1,
  maxLength: 40,
  examples: ['invited'],
})

export const MemberStatus = named(
  'CampaignMemberStatus',
  strict({
    key: StatusKey,
    label: Line(100),
    is_response: Type.Boolean({ description: 'True if members with this status have responded.' }),
  }),
)

export const Campaign = named(
  'Campaign',
  strict({
    id: Id,
    name: Type.String(),
    type: Type.Enum([...campaignTypes]),
    status: Type.Enum([...campaignStatuses]),
    description: text,
    start_on: day,
    end_on: day,
    budget: money,
    actual_cost: money,
    expected_revenue: money,
    expected_responses: nullable(count),
    parent_campaign_id: id,
    parent: nullable(Reference),
    owner_id: id,
    owner: nullable(Reference),
    source: text,
    utm_campaign: text,
    member_statuses: Type.Array(MemberStatus),
    tags: Type.Array(Type.String()),
    member_count: count,
    responded_count: count,
    created_by: id,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Campaign = Static<typeof Campaign>

export const ListedCampaign = named(
  'ListedCampaign',
  strict({
    ...Campaign.properties,
    results: Type.Optional({
      ...strict({
        won_amount: Money,
        open_amount: Money,
        roi: nullable(
          Type.Number({
            description: 'Return on `actual_cost`: 1 if the share is twice the cost. Null without a cost.',
          }),
        ),
      }),
      description:
        'With `include=results`: figures of `GET /api/campaigns/{campaign_id}/kpis` in the base currency, by the linear model.',
    }),
  }),
)
export type ListedCampaign = Static<typeof ListedCampaign>

export const CampaignTypes = listOf(
  strict({
    key: Type.Enum([...campaignTypes]),
    label: Type.String(),
    default_member_statuses: Type.Array(MemberStatus),
  }),
)

const writable = {
  description: clearable(Type.String({ maxLength: 5_000 })),
  start_on: clearable(CalendarDay),
  end_on: clearable(CalendarDay),
  budget: clearable(Money),
  actual_cost: clearable(Money),
  expected_revenue: clearable(Money),
  expected_responses: clearable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  parent_campaign_id: clearable(Id),
  owner_id: clearable(Id),
  source: clearable(Type.String({ pattern: '^[a-z0-9_]{1,50}$', minLength: 1, maxLength: 50 })),
  utm_campaign: clearable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'New leads with this `utm.campaign`, in upper or lower case, become members that have responded.',
    }),
  ),
  member_statuses: Type.Optional(
    Type.Array(MemberStatus, { minItems: 2, maxItems: 20, description: 'In ascending rank.' }),
  ),
  tags: Type.Optional(Type.Array(Line(50), { maxItems: 50, uniqueItems: true })),
}
export const NewCampaign = strict({ name: Line(200), type: Type.Enum([...campaignTypes]), ...writable })
export type NewCampaign = Static<typeof NewCampaign>

export const CampaignClone = withExample(strict({ name: Line(200) }), { name: 'Spring webinar 2027' })
export type CampaignClone = Static<typeof CampaignClone>

export const CampaignChanges = strict({
  name: Type.Optional(Line(200)),
  type: Type.Optional(Type.Enum([...campaignTypes])),
  status: Type.Optional(Type.Enum([...campaignStatuses])),
  ...writable,
})
export type CampaignChanges = Static<typeof CampaignChanges>

export const CampaignQuery = listQuery({
  status: Type.Optional(enumList([...campaignStatuses])),
  type: Type.Optional(enumList([...campaignTypes])),
  search: Type.Optional(Search),
  owner_id: Type.Optional(OwnerFilter),
  active_on: Type.Optional(
    Type.String({ ...CalendarDay, description: 'Day between `start_on` and `end_on` of the campaign.' }),
  ),
  tag: Type.Optional(Line(50)),
  include: Type.Optional(
    Type.Enum(['results'], { description: '`results` adds the amounts of influenced deals to each campaign.' }),
  ),
  sort: sortOrder(['priority', '-priority'], '`priority`: running campaigns come first, then planned and ended ones.'),
})
export type CampaignQuery = Static<typeof CampaignQuery>

export const CampaignParams = strict({ campaign_id: Id })
