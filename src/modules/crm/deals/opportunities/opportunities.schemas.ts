import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import { Money } from '#platform/money'
import {
  CalendarDay,
  clearable,
  enumList,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  strict,
  Timestamp,
} from '#platform/schema'
import { SourceKey } from '../../people/lead-records/leads.schemas.ts'
import { CustomFields } from '../../records/custom-values/custom-values.schemas.ts'
import { FieldSelection, RuleFilter } from '../../records/filters/list.schemas.ts'
import {
  forecastCategories,
  openForecastCategories,
  ProbabilityRate,
  stageKinds,
} from '../pipelines/pipelines.schemas.ts'

export const lostReasons = [
  'price',
  'competitor',
  'no_decision',
  'no_budget',
  'timing',
  'feature_gap',
  'other',
] as const
const contactRoles = ['decision_maker', 'champion', 'influencer', 'user', 'procurement', 'other'] as const

const Text = Type.String()
const text = nullable(Text)
const id = nullable(Id)
const at = nullable(Timestamp)
const StageKey = Type.String({ pattern: '^[a-z0-9_]{1,40}$', minLength: 1, maxLength: 40 })

const summaryProperties = {
  id: Id,
  name: Text,
  account: nullable(Reference),
  pipeline_id: Id,
  stage_key: Text,
  stage_label: Text,
  kind: Type.Enum([...stageKinds]),
  amount: nullable(Money),
  amount_base: nullable(Money),
  probability_rate: ProbabilityRate,
  forecast_category: Type.Enum([...forecastCategories]),
  close_on: Type.String({ format: 'date' }),
  is_overdue: Type.Boolean(),
  next_step: text,
  owner: nullable(Reference),
  days_in_stage: Type.Integer({ minimum: 0 }),
  last_activity_at: at,
  tags: Type.Array(Text),
  custom: Type.Record(Text, Type.Unknown()),
  version: Type.Integer(),
}

const otherProperties = {
  account_id: Id,
  primary_contact_id: id,
  primary_contact: nullable(Reference),
  pipeline: Reference,
  expected_amount: nullable(Money),
  probability_overridden: Type.Boolean({
    description: 'True if the probability was set manually and differs from the stage.',
  }),
  closed_at: at,
  lost_reason: nullable(Type.Enum([...lostReasons])),
  lost_detail: text,
  owner_id: id,
  source: text,
  campaign_id: id,
  lead_id: id,
  stage_entered_at: Timestamp,
  notes: text,
  created_by: id,
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const OpportunitySummary = named('OpportunitySummary', strict(summaryProperties))
export type OpportunitySummary = Static<typeof OpportunitySummary>

/** A deal of a list. The optional fields are missing with `fields=summary`. */
export const ListedOpportunity = named(
  'ListedOpportunity',
  strict({ ...summaryProperties, ...Type.Partial(strict(otherProperties)).properties }),
)
export type ListedOpportunity = Static<typeof ListedOpportunity>

export const DealContact = named(
  'DealContact',
  strict({ contact_id: Id, contact: Reference, role: Type.Enum([...contactRoles]), created_at: Timestamp }),
)
export type DealContact = Static<typeof DealContact>
export const NewDealContact = strict({ contact_id: Id, role: Type.Enum([...contactRoles], { default: 'other' }) })
export type NewDealContact = Static<typeof NewDealContact>

export const Opportunity = named(
  'Opportunity',
  strict({ ...summaryProperties, ...otherProperties, contacts: Type.Array(DealContact) }),
)
export type Opportunity = Static<typeof Opportunity>

const writable = {
  primary_contact_id: clearable(Id),
  pipeline_id: Type.Optional(Id),
  stage_key: Type.Optional(StageKey),
  amount: clearable(Money),
  probability_rate: Type.Optional(ProbabilityRate),
  forecast_category: Type.Optional(Type.Enum([...openForecastCategories])),
  lost_reason: clearable(Type.Enum([...lostReasons])),
  lost_detail: clearable(Type.String({ maxLength: 500 })),
  next_step: clearable(Type.String({ maxLength: 500 })),
  owner_id: clearable(Id),
  source: clearable(SourceKey),
  campaign_id: clearable(Id),
  tags: Type.Optional(Type.Array(Line(50), { maxItems: 50, uniqueItems: true })),
  notes: clearable(Type.String({ maxLength: 20_000 })),
  custom: Type.Optional(CustomFields),
}
export const NewOpportunity = strict({ name: Line(200), account_id: Id, close_on: CalendarDay, ...writable })
export type NewOpportunity = Static<typeof NewOpportunity>

export const OpportunityChanges = strict({
  name: Type.Optional(Line(200)),
  account_id: Type.Optional(Id),
  close_on: Type.Optional(CalendarDay),
  ...writable,
})
export type OpportunityChanges = Static<typeof OpportunityChanges>

const sorts = [
  'close_on',
  '-close_on',
  'amount',
  '-amount',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'name',
  '-name',
] as const
export type OpportunitySort = (typeof sorts)[number]

const StageKeys = Type.Unsafe<string[]>({
  type: 'array',
  items: { type: 'string', pattern: '^[a-z0-9_]{1,40}$' },
  minItems: 1,
  maxItems: 10,
  'x-comma-separated': true,
})
const BaseAmount = Type.String({
  pattern: '^(0|[1-9]\\d{0,15})(\\.\\d{1,6})?$',
  maxLength: 24,
  description: 'Amount in the base currency.',
  examples: ['10000'],
})

export const TeamFilter = { ...Id, description: 'Only deals whose owner is a member of the team.' }

export const OpportunityQuery = listQuery({
  search: Type.Optional(Search),
  kind: Type.Optional(enumList([...stageKinds])),
  pipeline_id: Type.Optional(Id),
  stage_key: Type.Optional(StageKeys),
  owner_id: Type.Optional(OwnerFilter),
  team_id: Type.Optional(TeamFilter),
  account_id: Type.Optional(Id),
  contact_id: Type.Optional(Id),
  campaign_id: Type.Optional(Id),
  forecast_category: Type.Optional(enumList([...forecastCategories])),
  close_from: Type.Optional(CalendarDay),
  close_to: Type.Optional(CalendarDay),
  amount_min: Type.Optional(BaseAmount),
  amount_max: Type.Optional(BaseAmount),
  overdue: Type.Optional(Type.Boolean({ description: 'Only open deals past their expected close date.' })),
  filter: Type.Optional(RuleFilter),
  sort: Type.Enum([...sorts], { default: 'close_on' }),
  fields: FieldSelection,
})
export type OpportunityQuery = Static<typeof OpportunityQuery>

export const OpportunityStageChange = named(
  'OpportunityStageChange',
  strict({
    id: Id,
    from_key: text,
    to_key: Text,
    amount_base: nullable(Money),
    close_on: Type.String({ format: 'date' }),
    changed_by: nullable(Reference),
    at: Timestamp,
    seconds_in_previous: nullable(Type.Integer({ minimum: 0 })),
  }),
)
export type OpportunityStageChange = Static<typeof OpportunityStageChange>

export const OpportunityParams = strict({ opportunity_id: Id })
export const DealContactParams = strict({ opportunity_id: Id, contact_id: Id })
