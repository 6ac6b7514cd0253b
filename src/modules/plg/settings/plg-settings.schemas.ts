import { type Static, type TSchema, Type } from 'typebox'
import { CalendarDay, Id, Line, nullable, strict } from '#platform/schema'

const nullByDefault = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], { default: null, description })

export const EventName = Type.String({
  pattern: '^[A-Za-z0-9$][A-Za-z0-9_.:/ -]{0,99}$',
  minLength: 1,
  maxLength: 100,
  examples: ['project_created'],
})

const Minimum = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }))

const Condition = strict({
  event: nullByDefault(EventName, 'Name of the event; null counts all events.'),
  min_events: Minimum(1_000_000, 'Minimum number of events.'),
  min_days: Minimum(90, 'Minimum number of different days with the event.'),
  min_people: Minimum(100_000, 'Minimum number of people of the account with the event; only for accounts.'),
})
export type PqlCondition = Static<typeof Condition>

const PqlRule = strict({
  key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40, examples: ['team_active'] }),
  name: Line(100),
  kind: Type.Enum(['person', 'account']),
  window_days: Type.Integer({ minimum: 1, maximum: 90, description: 'Days that count, today included.' }),
  all: Type.Array(Condition, { minItems: 1, maxItems: 5, description: 'Conditions that must all be met.' }),
  fit_segment_id: nullByDefault(Id, 'The linked lead, contact or account must also be in this segment.'),
  points: Type.Integer({ minimum: -100, maximum: 100, default: 20, description: 'Points for the score of leads.' }),
  hold_days: Type.Integer({
    minimum: 0,
    maximum: 90,
    default: 14,
    description: 'Days after which a qualification is lost if the rule is not met again.',
  }),
})
export type PqlRule = Static<typeof PqlRule>

export const PlgSettings = strict({
  inactive_events: Type.Array(EventName, {
    default: [],
    maxItems: 200,
    uniqueItems: true,
    description: 'Events that do not make a person active. A change recalculates all numbers in the background.',
  }),
  activation: nullByDefault(
    strict({
      events: Type.Array(EventName, { minItems: 1, maxItems: 5, uniqueItems: true }),
      within_days: Type.Integer({ minimum: 1, maximum: 90 }),
    }),
    'Events that a new person must do within some days to count as activated.',
  ),
  pql_rules: Type.Array(PqlRule, { default: [], maxItems: 10, description: 'Rules for product-qualified leads.' }),
  auto_create_leads: Type.Enum(['never', 'on_pql'], {
    default: 'on_pql',
    description: 'Whether a qualified person without a lead or contact becomes a lead.',
  }),
  accept_past_days: Type.Integer({
    minimum: 1,
    maximum: 730,
    default: 90,
    description: 'Older events are rejected.',
  }),
})
export type PlgSettings = Static<typeof PlgSettings>

export const RecalculatedFromOn = {
  ...nullable(CalendarDay),
  description:
    'First day whose numbers are calculated again when the time zone or `inactive_events` change. Earlier days keep theirs, because their events were deleted. Null if all days are calculated again.',
}

export const VersionedPlgSettings = strict({
  version: Type.Integer({ minimum: 1 }),
  recalculated_from_on: RecalculatedFromOn,
  ...PlgSettings.properties,
})
export type VersionedPlgSettings = Static<typeof VersionedPlgSettings>
