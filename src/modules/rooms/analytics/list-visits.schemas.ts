import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'

const text = nullable(Type.String())
const Seconds = Type.Integer({ minimum: 0 })

export const RoomVisitQuery = listQuery({
  sort: sortOrder(['-started_at', 'started_at']),
  include_internal: Type.Optional(
    Type.Boolean({ description: 'Default: false. Also list visits of users of the workspace.' }),
  ),
})
export type RoomVisitQuery = Static<typeof RoomVisitQuery>

export const RoomVisitSummary = named(
  'RoomVisitSummary',
  strict({
    id: Id,
    started_at: Timestamp,
    last_event_at: Timestamp,
    seconds: Seconds,
    device: Type.Enum(['desktop', 'mobile', 'tablet', 'other']),
    referrer_host: text,
    is_internal: Type.Boolean(),
    link: strict({ id: Id, label: text }),
    visitor: strict({
      id: Id,
      name: text,
      email: text,
      identity: Type.Enum(['anonymous', 'claimed', 'verified']),
      contact: nullable(strict({ id: Id, name: Type.String() })),
    }),
    items: Type.Array(
      strict({
        item_id: Id,
        title: Type.String(),
        started_at: Timestamp,
        seconds: Seconds,
        progress: Type.Number({ minimum: 0, maximum: 1 }),
        max_page: nullable(Type.Integer()),
        pages: Type.Array(strict({ page: Type.Integer(), seconds: Seconds }), {
          description: 'Pages that were shown for at least a second of use; at most 500.',
        }),
        completed: Type.Boolean(),
        downloaded_at: nullable(Timestamp),
      }),
      { description: 'What the visitor opened, in the order of opening; at most 200 views.' },
    ),
  }),
)
export type RoomVisitSummary = Static<typeof RoomVisitSummary>
