import { type Static, Type } from 'typebox'
import { CalendarDay, Id, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'
import { Kind, UsageActor } from '../actors/actors.schemas.ts'

export const PqlQuery = listQuery({
  sort: sortOrder(['-qualified_at', 'qualified_at']),
  kind: Type.Optional(Kind),
  rule_key: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40 })),
  state: Type.Optional(Type.Enum(['qualified', 'lost'])),
})
export type PqlQuery = Static<typeof PqlQuery>

export const Evidence = Type.Array(
  strict({
    event: nullable(Type.String()),
    events: Type.Integer({ minimum: 0 }),
    days: Type.Integer({ minimum: 0 }),
    people: Type.Integer({ minimum: 0 }),
  }),
  { maxItems: 5, description: 'What was measured for each condition of the rule.' },
)
export type Evidence = Static<typeof Evidence>

export const Pql = named(
  'ProductQualifiedLead',
  strict({
    id: Id,
    rule_key: Type.String(),
    kind: Kind,
    state: Type.Enum(['qualified', 'lost']),
    actor: nullable(UsageActor),
    evidence: Evidence,
    points: Type.Integer(),
    qualified_at: Timestamp,
    last_met_on: CalendarDay,
    lost_at: nullable(Timestamp),
    created_lead_id: nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Pql = Static<typeof Pql>
