import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import { Money } from '#platform/money'
import {
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
import { CustomFields } from '../../records/custom-values/custom-values.schemas.ts'
import { accountTypes } from '../../records/fields/account-fields.ts'
import { FieldSelection, RuleFilter } from '../../records/filters/list.schemas.ts'

const Text = Type.String()
const text = nullable(Text)
const id = nullable(Id)

export const Address = strict({
  line1: clearable(Line(200)),
  line2: clearable(Line(200)),
  city: clearable(Line(100)),
  region: clearable(Line(100)),
  postal_code: clearable(Line(20)),
  country: clearable(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2, examples: ['DE'] })),
})

const summaryProperties = {
  id: Id,
  name: Text,
  domain: text,
  type: Type.Enum([...accountTypes]),
  industry: text,
  employee_count: nullable(Type.Integer()),
  owner: nullable(Reference),
  last_activity_at: nullable(Timestamp),
  tags: Type.Array(Text),
  custom: Type.Record(Text, Type.Unknown()),
  created_at: Timestamp,
  version: Type.Integer(),
}

const otherProperties = {
  website: text,
  annual_revenue: nullable(Money),
  phone: text,
  address: nullable(Type.Record(Text, text)),
  timezone: text,
  parent_account_id: id,
  parent: nullable(Reference),
  owner_id: id,
  notes: text,
  created_by: id,
  updated_at: Timestamp,
}

const summary = strict(summaryProperties)
export type AccountSummary = Static<typeof summary>

const stats = strict({
  contacts: Type.Integer(),
  open_opportunities: Type.Integer(),
  open_amount: Money,
  won_amount: Money,
  last_activity_at: nullable(Timestamp),
})
export type AccountStats = Static<typeof stats>

/** An account of a list. The optional fields are missing with `fields=summary`, and `stats` without `include=stats`. */
export const ListedAccount = named(
  'ListedAccount',
  strict({
    ...summaryProperties,
    ...Type.Partial(strict(otherProperties)).properties,
    stats: Type.Optional(stats),
  }),
)
export type ListedAccount = Static<typeof ListedAccount>

export const Account = named('Account', strict({ ...summaryProperties, ...otherProperties, stats }))
export type Account = Static<typeof Account>

const writable = {
  domain: clearable(
    Type.String({
      pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$',
      maxLength: 253,
      examples: ['acme.example'],
      description: 'Must be unique within the workspace.',
    }),
  ),
  website: clearable(Line(500)),
  type: Type.Optional(Type.Enum([...accountTypes])),
  industry: clearable(Line(100)),
  employee_count: clearable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  annual_revenue: clearable(Money),
  phone: clearable(Type.String({ minLength: 3, maxLength: 40 })),
  address: clearable(Address),
  timezone: clearable(Line(64)),
  parent_account_id: clearable(Id),
  owner_id: clearable(Id),
  tags: Type.Optional(Type.Array(Line(50), { maxItems: 50, uniqueItems: true })),
  notes: clearable(Type.String({ maxLength: 20_000 })),
  custom: Type.Optional(CustomFields),
}

export const NewAccount = strict({ name: Line(200), ...writable })
export type NewAccount = Static<typeof NewAccount>
export const AccountChanges = strict({ name: Type.Optional(Line(200)), ...writable })
export type AccountChanges = Static<typeof AccountChanges>

const sorts = [
  'name',
  '-name',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'last_activity_at',
  '-last_activity_at',
] as const
export type AccountSort = (typeof sorts)[number]

export const accountFilters = {
  search: Type.Optional(Search),
  type: Type.Optional(enumList([...accountTypes])),
  owner_id: Type.Optional(OwnerFilter),
  industry: Type.Optional(Line(100)),
  parent_account_id: Type.Optional(Id),
  tag: Type.Optional(Line(50)),
}

export const AccountQuery = listQuery({
  ...accountFilters,
  filter: Type.Optional(RuleFilter),
  sort: Type.Enum([...sorts], { default: 'name' }),
  fields: FieldSelection,
  include: Type.Optional(
    Type.Enum(['stats'], {
      description: '`stats`: with the totals of each account, as in the response of one account.',
    }),
  ),
})
export type AccountQuery = Static<typeof AccountQuery>

export const AccountParams = strict({ account_id: Id })
