import { type Static, Type } from 'typebox'
import {
  CalendarDay,
  clearable,
  Id,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
} from '#platform/schema'

export const ActorParams = strict({ actor_id: Id })

export const Kind = Type.Enum(['person', 'account'])

export const ActorListQuery = listQuery({
  sort: sortOrder(['-last_seen_at', 'last_seen_at']),
  kind: Type.Optional(Kind),
  search: Type.Optional({ ...Search, description: 'Words in the ref, name or email address.' }),
  linked: Type.Optional(
    Type.Boolean({ description: 'Whether a person has a lead or contact, or an account has an account of the CRM.' }),
  ),
  qualified: Type.Optional(Type.Boolean({ description: 'Whether a rule for product-qualified leads is met.' })),
})
export type ActorListQuery = Static<typeof ActorListQuery>

const actorFields = {
  id: Id,
  kind: Kind,
  ref: Type.String({ description: '`user_ref` or `account_ref` of the events.' }),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  domain: nullable(Type.String()),
  product_account_id: nullable({ ...Id, description: 'Product account in which the person was seen last.' }),
  contact: nullable(Reference),
  lead: nullable(Reference),
  account: nullable(Reference),
  link_method: nullable(Type.Enum(['email', 'domain', 'manual', 'pql'])),
  link_locked: Type.Boolean({ description: 'The links are not changed automatically.' }),
  first_seen_at: Timestamp,
  last_seen_at: { ...Timestamp, description: 'Updated every five minutes.' },
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const UsageActor = named('UsageActor', strict(actorFields))
export type UsageActor = Static<typeof UsageActor>

const Qualification = strict({
  id: Id,
  rule_key: Type.String(),
  qualified_at: Timestamp,
  last_met_on: CalendarDay,
  lost_at: nullable(Timestamp),
  points: Type.Integer(),
})

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const Properties = Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar, { maxItems: 20 })]))

export const ActorEvent = strict({
  event_id: Type.String(),
  name: Type.String(),
  occurred_at: Timestamp,
  person_id: nullable(Id),
  account_id: nullable(Id),
  properties: nullable(Properties),
})

export const UsageActorDetails = named(
  'UsageActorDetails',
  strict({
    ...actorFields,
    first_active_on: nullable(CalendarDay),
    active_days_in_30: Type.Integer({ minimum: 0, maximum: 30 }),
    qualifications: Type.Array(Qualification, { maxItems: 50 }),
    events: Type.Array(ActorEvent, { maxItems: 50, description: 'The newest events.' }),
    next_events_cursor: nullable(Type.String({ description: 'Use it as `events_cursor` to get older events.' })),
  }),
)
export type UsageActorDetails = Static<typeof UsageActorDetails>

export const ActorQuery = strict({
  events_cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})

export const ActorChanges = strict({
  contact_id: clearable({ ...Id, description: 'Only for people. A contact replaces the lead.' }),
  lead_id: clearable({ ...Id, description: 'Only for people. A lead replaces the contact.' }),
  account_id: clearable(Id),
  link_locked: Type.Optional(
    Type.Boolean({
      description: 'A changed link is locked unless this is false, so that it is not replaced automatically.',
    }),
  ),
})
export type ActorChanges = Static<typeof ActorChanges>
