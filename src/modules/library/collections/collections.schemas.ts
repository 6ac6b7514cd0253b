import { type Static, Type } from 'typebox'
import {
  clearable,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
} from '#platform/schema'
import { ContentSummary } from '../content/content.schemas.ts'

export const maxItems = 500

const Audience = Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true })
const Description = Type.String({ maxLength: 2_000 })
const Note = Type.String({ maxLength: 500 })
const ItemIds = Type.Array(Id, { maxItems })

const collectionFields = {
  id: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  owner_id: nullable(Id),
  owner: nullable(Reference),
  audience_team_ids: nullable(Type.Array(Id)),
  cover_item_id: nullable(Id),
  item_count: Type.Integer(),
  archived_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const CollectionEntry = strict({
  content_item_id: Id,
  position: Type.Integer(),
  note: nullable(Type.String()),
  item: ContentSummary,
  replaced_from: nullable({ ...Id, description: 'The archived item that this one replaces.' }),
})
export type CollectionEntry = Static<typeof CollectionEntry>

export const CollectionSummary = named(
  'CollectionSummary',
  strict({ ...collectionFields, thumbnail_urls: Type.Array(Type.String(), { description: 'Of up to four items.' }) }),
)
export type CollectionSummary = Static<typeof CollectionSummary>

export const Collection = named(
  'Collection',
  strict({
    ...collectionFields,
    items: Type.Array(CollectionEntry),
    hidden_count: Type.Integer({ description: 'Entries that the caller cannot see, or that are archived.' }),
  }),
)
export type Collection = Static<typeof Collection>

export const NewCollection = strict({
  name: Line(120),
  description: clearable(Description),
  audience_team_ids: clearable(Audience),
  item_ids: Type.Optional(ItemIds),
})
export type NewCollection = Static<typeof NewCollection>

export const CollectionChanges = strict({
  name: Type.Optional(Line(120)),
  description: clearable(Description),
  archived: Type.Optional(Type.Boolean()),
  audience_team_ids: clearable(Audience),
  cover_item_id: clearable(Id),
  owner_id: Type.Optional(Id),
})
export type CollectionChanges = Static<typeof CollectionChanges>

export const CollectionFilter = listQuery({
  sort: sortOrder(['name', '-name']),
  include_archived: Type.Boolean({ default: false }),
  search: Type.Optional(Search),
})
export type CollectionFilter = Static<typeof CollectionFilter>

export const NewEntries = strict({
  item_ids: Type.Array(Id, { minItems: 1, maxItems: 100 }),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: maxItems, description: 'Default: at the end.' })),
  note: Type.Optional(Note),
})
export type NewEntries = Static<typeof NewEntries>
export const AddedEntries = strict({ added: Type.Array(Id), already: Type.Array(Id), item_count: Type.Integer() })
export type AddedEntries = Static<typeof AddedEntries>

export const EntryOrder = strict({ item_ids: ItemIds })
export const OrderedEntries = strict({ items: Type.Array(CollectionEntry), hidden_count: Type.Integer() })

export const CollectionParams = strict({ collection_id: Id })
export const EntryParams = strict({ collection_id: Id, item_id: Id })
