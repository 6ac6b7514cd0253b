import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import {
  clearable,
  Email,
  enumList,
  Id,
  idOr,
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
import { SourceKey } from '../lead-records/leads.schemas.ts'
import { contactStages } from './contact-stage.rules.ts'

const Text = Type.String()
const text = nullable(Text)
const at = nullable(Timestamp)
const id = nullable(Id)

const summaryProperties = {
  id: Id,
  name: text,
  email: text,
  phone: text,
  title: text,
  account: nullable(Reference),
  owner: nullable(Reference),
  lifecycle_stage: Type.Enum([...contactStages]),
  email_status: Type.Enum(['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained']),
  last_activity_at: at,
  tags: Type.Array(Text),
  custom: Type.Record(Text, Type.Unknown()),
  created_at: Timestamp,
  version: Type.Integer(),
}

const otherProperties = {
  first_name: text,
  last_name: text,
  phone_e164: text,
  department: text,
  account_id: id,
  account_name: text,
  owner_id: id,
  mql_at: at,
  sql_at: at,
  opportunity_at: at,
  customer_at: at,
  former_customer_at: at,
  linkedin_url: text,
  country: text,
  region: text,
  city: text,
  timezone: text,
  source: Text,
  call_status: Type.Enum(['allowed', 'do_not_call']),
  processing_restricted: Type.Boolean(),
  last_engaged_at: at,
  lead_id: id,
  notes: text,
  import_id: id,
  created_by: id,
  updated_at: Timestamp,
}

const summary = strict(summaryProperties)
export type ContactSummary = Static<typeof summary>

/** A contact of a list. The optional fields are missing with `fields=summary`. */
export const ListedContact = named(
  'ListedContact',
  strict({ ...summaryProperties, ...Type.Partial(strict(otherProperties)).properties }),
)
export type ListedContact = Static<typeof ListedContact>

export const Contact = named('Contact', strict({ ...summaryProperties, ...otherProperties }))
export type Contact = Static<typeof Contact>

const writable = {
  first_name: clearable(Line(100)),
  last_name: clearable(Line(100)),
  email: clearable(Email),
  phone: clearable(Type.String({ minLength: 3, maxLength: 40 })),
  title: clearable(Line(150)),
  department: clearable(Line(100)),
  account_id: clearable(Id),
  owner_id: clearable(Id),
  linkedin_url: clearable(Line(500)),
  country: clearable(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2, examples: ['DE'] })),
  region: clearable(Line(100)),
  city: clearable(Line(100)),
  timezone: clearable(Line(64)),
  source: Type.Optional(SourceKey),
  tags: Type.Optional(Type.Array(Line(50), { maxItems: 50, uniqueItems: true })),
  notes: clearable(Type.String({ maxLength: 20_000 })),
  custom: Type.Optional(CustomFields),
}

export const NewContact = strict({ ...writable, lifecycle_stage: Type.Optional(Type.Enum([...lifecycleStages])) })
export type NewContact = Static<typeof NewContact>
export const ContactChanges = strict({
  ...writable,
  lifecycle_stage: Type.Optional(Type.Enum([...contactStages])),
  stage_reason: Type.Optional(Line(200)),
})
export type ContactChanges = Static<typeof ContactChanges>

const sorts = ['name', 'email', 'lifecycle_stage', 'created_at', 'account_name'] as const
export type ContactSort = (typeof sorts)[number]

export const contactFilters = {
  search: Type.Optional(Search),
  account_id: Type.Optional(idOr('none', 'Account id, or `none` for contacts without an account.')),
  lifecycle_stage: Type.Optional(enumList([...contactStages])),
  owner_id: Type.Optional(OwnerFilter),
  tag: Type.Optional(Line(50)),
}
const listOptions = {
  filter: Type.Optional(RuleFilter),
  fields: FieldSelection,
  sort_by: Type.Enum([...sorts], { default: 'created_at', description: 'Contacts without a value are listed last.' }),
  sort_dir: Type.Enum(['asc', 'desc'], { default: 'desc' }),
}

export const ContactQuery = listQuery({ ...contactFilters, ...listOptions })
export type ContactQuery = Static<typeof ContactQuery>

const { account_id: _, ...filtersAtAccount } = contactFilters
export const AccountContactQuery = listQuery({ ...filtersAtAccount, ...listOptions })

export const ContactParams = strict({ contact_id: Id })

export const ContactMerge = strict({
  duplicate_ids: Type.Array(Id, { minItems: 1, maxItems: 10, uniqueItems: true }),
  prefer: Type.Optional(
    Type.Record(Type.String({ maxLength: 50 }), Id, {
      maxProperties: 50,
      description:
        'Contact id to take the value from, by field. Default: the value of the surviving contact, else the most recently updated one.',
    }),
  ),
})
export type ContactMerge = Static<typeof ContactMerge>
export const MergedContact = named('MergedContact', strict({ contact: Contact, merged_ids: Type.Array(Id) }))
export type MergedContact = Static<typeof MergedContact>
