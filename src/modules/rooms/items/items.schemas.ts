import { type Static, Type } from 'typebox'
import { clearable, Id, Line, named, nullable, strict, Timestamp, withExample } from '#platform/schema'

const kinds = ['content', 'link', 'text'] as const
export type ItemKind = (typeof kinds)[number]
export const itemStates = ['ok', 'replaced', 'hidden_archived', 'hidden_deleted', 'hidden_unpublished'] as const
export type ItemState = (typeof itemStates)[number]

const HttpUrl = Type.String({ format: 'uri', pattern: '^https?://[^@]+$', minLength: 8, maxLength: 2_048 })
const text = nullable(Type.String())

export const RoomItem = named(
  'RoomItem',
  strict({
    id: Id,
    section_id: nullable(Id),
    kind: Type.Enum([...kinds]),
    content_item_id: nullable(Id),
    content: nullable(
      strict({
        id: Id,
        title: Type.String(),
        type: Type.String(),
        status: Type.String(),
        media_type: text,
        size_bytes: nullable(Type.Integer()),
      }),
    ),
    state: Type.Enum([...itemStates], {
      description: 'Visitors see items that are `ok` or `replaced` by the replacement of archived content.',
    }),
    is_restricted: Type.Boolean({
      description: 'The caller may not see the content, so its id, title and description are null.',
    }),
    pinned_version_no: nullable(Type.Integer()),
    title: text,
    description: text,
    url: text,
    body: text,
    position: Type.Integer(),
    is_visible: Type.Boolean(),
    downloads_allowed: nullable(Type.Boolean()),
    views: Type.Integer({ description: 'Views by visitors, updated every minute.' }),
    last_viewed_at: nullable(Timestamp),
    added_by: nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type RoomItem = Static<typeof RoomItem>

const writable = {
  section_id: clearable(Id),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 199, description: 'Place in the room, from 0.' })),
  title: clearable(Line(200)),
  description: clearable(Type.String({ maxLength: 1_000 })),
  is_visible: Type.Optional(Type.Boolean()),
  downloads_allowed: clearable(Type.Boolean()),
  pinned_version_no: clearable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
}
const Body = Type.String({ minLength: 1, maxLength: 20_000, description: 'Markdown. HTML is shown as text.' })

export const NewRoomItem = withExample(
  strict({
    kind: Type.Optional(Type.Enum([...kinds], { default: 'content' })),
    content_item_id: Type.Optional(Id),
    collection_id: Type.Optional({ ...Id, description: 'Adds all content of the collection that can be shared.' }),
    url: Type.Optional(HttpUrl),
    body: Type.Optional(Body),
    ...writable,
  }),
  { kind: 'link', url: 'https://example.com', title: 'Website' },
)
export type NewRoomItem = Static<typeof NewRoomItem>

const skipReasons = ['already_in_room', 'archived', 'internal_only_type', 'not_published', 'limit_reached'] as const

export const AddedCollection = named(
  'AddedCollection',
  strict({
    added: Type.Array(RoomItem, { maxItems: 200 }),
    skipped: Type.Array(strict({ content_item_id: Id, code: Type.Enum([...skipReasons]) }), { maxItems: 500 }),
  }),
)
export type AddedCollection = Static<typeof AddedCollection>

export const RoomItemChanges = strict({ ...writable, url: Type.Optional(HttpUrl), body: Type.Optional(Body) })
export type RoomItemChanges = Static<typeof RoomItemChanges>

export const RoomItemParams = strict({ room_id: Id, item_id: Id })
