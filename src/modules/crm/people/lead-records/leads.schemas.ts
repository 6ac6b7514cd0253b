import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import { Money } from '#platform/money'
import {
  CalendarDay,
  clearable,
  Email,
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
import { CustomFields } from '../../records/custom-values/custom-values.schemas.ts'
import { FieldSelection, RuleFilter } from '../../records/filters/list.schemas.ts'
import { lifecycleStages } from '../../records/person-keys/lifecycle.rules.ts'
import { disqualifyReasons, leadStatuses, settableLeadStages, settableLeadStatuses } from './leads.rules.ts'

const Text = Type.String()
const text = nullable(Text)
const at = nullable(Timestamp)
const id = nullable(Id)
const Score = Type.Integer({ minimum: 0, maximum: 100 })

const Utm = strict({
  source: clearable(Line(200)),
  medium: clearable(Line(200)),
  campaign: clearable(Line(200)),
  term: clearable(Line(200)),
  content: clearable(Line(200)),
})
export const SourceKey = Type.String({ pattern: '^[a-z0-9_]{1,50}$', minLength: 1, maxLength: 50 })

const summaryProperties = {
  id: Id,
  name: text,
  email: text,
  phone: text,
  title: text,
  company: text,
  status: Type.Enum([...leadStatuses]),
  lifecycle_stage: Type.Enum([...lifecycleStages]),
  source: Text,
  owner: nullable(Reference),
  score: Score,
  grade: Type.Enum(['A', 'B', 'C']),
  sla_status: Type.Enum(['none', 'pending', 'met', 'breached']),
  sla_due_at: at,
  first_responded_at: at,
  last_activity_at: at,
  tags: Type.Array(Text),
  custom: Type.Record(Text, Type.Unknown()),
  created_at: Timestamp,
  version: Type.Integer(),
}

const otherProperties = {
  first_name: text,
  last_name: text,
  email_kind: nullable(Type.Enum(['business', 'free', 'disposable'])),
  phone_e164: text,
  company_domain: text,
  website: text,
  linkedin_url: text,
  industry: text,
  employee_count: nullable(Type.Integer()),
  annual_revenue: nullable(Money),
  country: text,
  region: text,
  city: text,
  timezone: text,
  source_detail: text,
  utm: nullable(Type.Record(Text, text)),
  disqualify_reason: nullable(Type.Enum([...disqualifyReasons])),
  owner_id: id,
  assigned_at: at,
  fit_score: Score,
  engagement_score: Score,
  score_version: Type.Integer(),
  scored_at: at,
  email_status: Type.Enum(['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained']),
  call_status: Type.Enum(['allowed', 'do_not_call']),
  processing_restricted: Type.Boolean(),
  first_responder_id: id,
  first_responder: nullable(Reference),
  sla_breached_at: at,
  last_engaged_at: at,
  mql_at: at,
  sql_at: at,
  opportunity_at: at,
  customer_at: at,
  converted_at: at,
  converted_by: id,
  converted_account_id: id,
  converted_account: nullable(Reference),
  converted_contact_id: id,
  converted_contact: nullable(Reference),
  converted_opportunity_id: id,
  converted_opportunity: nullable(Reference),
  merged_into_id: id,
  import_id: id,
  notes: text,
  created_by: id,
  updated_at: Timestamp,
  deleted_at: at,
}

export const ScoreReason = named(
  'ScoreReason',
  strict({
    rule_key: Text,
    label: Text,
    group: Text,
    points: Type.Number(),
    count: Type.Integer(),
    capped: Type.Boolean(),
  }),
)

export type ScoreReason = Static<typeof ScoreReason>

export const LeadSummary = named('LeadSummary', strict(summaryProperties))
export type LeadSummary = Static<typeof LeadSummary>

/** A lead of a list. The optional fields are missing with `fields=summary`. */
export const ListedLead = named(
  'ListedLead',
  strict({ ...summaryProperties, ...Type.Partial(strict(otherProperties)).properties }),
)
export type ListedLead = Static<typeof ListedLead>

export const Lead = named(
  'Lead',
  strict({
    ...summaryProperties,
    ...otherProperties,
    score_reasons: Type.Array(ScoreReason),
    duplicate_count: Type.Integer({
      description: 'Number of possible duplicates among leads and contacts, at most 50.',
    }),
  }),
)
export type Lead = Static<typeof Lead>

const writableProperties = {
  first_name: clearable(Line(100)),
  last_name: clearable(Line(100)),
  email: clearable(Email),
  phone: clearable(Type.String({ minLength: 3, maxLength: 40 })),
  title: clearable(Line(150)),
  company: clearable(Line(200)),
  website: clearable(Line(500)),
  linkedin_url: clearable(Line(500)),
  industry: clearable(Line(100)),
  employee_count: clearable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  annual_revenue: clearable(Money),
  country: clearable(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2, examples: ['DE'] })),
  region: clearable(Line(100)),
  city: clearable(Line(100)),
  timezone: clearable(Line(64)),
  source: Type.Optional(SourceKey),
  source_detail: clearable(Line(200)),
  utm: clearable(Utm),
  owner_id: clearable(Id),
  tags: Type.Optional(Type.Array(Line(50), { maxItems: 50, uniqueItems: true })),
  notes: clearable(Type.String({ maxLength: 20_000 })),
  custom: Type.Optional(CustomFields),
  disqualify_reason: clearable(Type.Enum([...disqualifyReasons])),
}

export const NewLead = strict({
  ...writableProperties,
  status: Type.Optional(Type.Enum([...settableLeadStatuses], { default: 'new' })),
  lifecycle_stage: Type.Optional(Type.Enum([...settableLeadStages], { default: 'lead' })),
})
export type NewLead = Static<typeof NewLead>

export const LeadChanges = strict({
  ...writableProperties,
  status: Type.Optional(Type.Enum([...leadStatuses])),
  lifecycle_stage: Type.Optional(Type.Enum([...lifecycleStages])),
  stage_reason: Type.Optional(Line(200)),
})
export type LeadChanges = Static<typeof LeadChanges>

export const leadSorts = [
  'priority',
  'queue',
  'score',
  '-score',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'last_activity_at',
  '-last_activity_at',
  'name',
  '-name',
  'company',
  '-company',
  'sla_due_at',
  '-sla_due_at',
] as const
export type LeadSort = (typeof leadSorts)[number]

const Sources = Type.Unsafe<string[]>({
  type: 'array',
  items: { type: 'string', pattern: '^[a-z0-9_]{1,50}$' },
  minItems: 1,
  maxItems: 10,
  'x-comma-separated': true,
})

export const leadFilters = {
  status: Type.Optional(enumList([...leadStatuses])),
  lifecycle_stage: Type.Optional(enumList([...lifecycleStages])),
  grade: Type.Optional(enumList(['A', 'B', 'C'])),
  source: Type.Optional(Sources),
  owner_id: Type.Optional(OwnerFilter),
  unassigned: Type.Optional(Type.Boolean()),
  score_min: Type.Optional(Score),
  score_max: Type.Optional(Score),
  search: Type.Optional(Search),
  tag: Type.Optional(Line(50)),
  created_from: Type.Optional(CalendarDay),
  created_to: Type.Optional(CalendarDay),
  segment_id: Type.Optional({ ...Id, description: 'Only members of this segment.' }),
  campaign_id: Type.Optional({ ...Id, description: 'Only members of this campaign.' }),
}

export const LeadQuery = listQuery({
  ...leadFilters,
  filter: Type.Optional(RuleFilter),
  sort: Type.Enum([...leadSorts], {
    default: 'priority',
    description:
      '`priority`: leads to contact next come first. `queue`: leads that wait for a first response come first, by deadline, then the ' +
      'others by priority.',
  }),
  fields: FieldSelection,
  include_deleted: Type.Optional(Type.Boolean({ description: 'Include deleted leads. For managers and admins only.' })),
})
export type LeadQuery = Static<typeof LeadQuery>

export const LeadParams = strict({ lead_id: Id })
