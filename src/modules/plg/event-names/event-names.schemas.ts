import { type Static, Type } from 'typebox'
import { CalendarDay, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'

export const EventNameQuery = listQuery({
  sort: sortOrder(['name', '-name']),
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the name, case-sensitive.' }),
  ),
})
export type EventNameQuery = Static<typeof EventNameQuery>

export const EventNameEntry = named(
  'EventName',
  strict({
    name: Type.String(),
    events_in_30_days: Type.Integer({ minimum: 0 }),
    people_in_30_days: Type.Integer({ minimum: 0 }),
    first_seen_at: Timestamp,
    last_seen_on: nullable(CalendarDay),
    inactive: Type.Boolean({ description: 'The event does not make a person active.' }),
  }),
)
export type EventNameEntry = Static<typeof EventNameEntry>
