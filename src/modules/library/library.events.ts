import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Text = Type.String()

export const contentCreated = defineEvent('content.created', {
  resource: 'content',
  description: 'A content item was created',
  data: strict({ type: Text, owner_id: nullable(Id) }),
})
export const contentUpdated = defineEvent('content.updated', {
  resource: 'content',
  description: 'A content item was updated',
  data: strict({ changed: Fields }),
})
export const contentPublished = defineEvent('content.published', {
  resource: 'content',
  description: 'A content item was published',
  data: strict({}),
})
export const contentUnpublished = defineEvent('content.unpublished', {
  resource: 'content',
  description: 'A published content item became a draft',
  data: strict({}),
})
export const contentArchived = defineEvent('content.archived', {
  resource: 'content',
  description: 'A content item was archived',
  data: strict({ reason: Text, superseded_by_id: nullable(Id) }),
})
export const contentRestored = defineEvent('content.restored', {
  resource: 'content',
  description: 'An archived content item became a draft',
  data: strict({}),
})
export const contentReviewed = defineEvent('content.reviewed', {
  resource: 'content',
  description: 'A content item was reviewed',
  data: strict({ outcome: Text }),
})
export const contentVersionAdded = defineEvent('content.version_added', {
  resource: 'content',
  description: 'A file was uploaded to a content item',
  data: strict({ version_no: Type.Integer(), is_current: Type.Boolean() }),
})
export const contentFileRemoved = defineEvent('content.file_removed', {
  resource: 'content',
  description: 'The file of a content item was removed',
  data: strict({ version_no: Type.Integer() }),
})
export const contentDeleted = defineEvent('content.deleted', {
  resource: 'content',
  description: 'A content item was deleted',
  data: strict({}),
})
export const collectionCreated = defineEvent('collection.created', {
  resource: 'collections',
  description: 'A collection was created',
  data: strict({ name: Text }),
})
export const collectionUpdated = defineEvent('collection.updated', {
  resource: 'collections',
  description: 'A collection was updated',
  data: strict({ changed: Fields }),
})
export const collectionDeleted = defineEvent('collection.deleted', {
  resource: 'collections',
  description: 'A collection was deleted',
  data: strict({}),
})
export const collectionItemsChanged = defineEvent('collection.items_changed', {
  resource: 'collections',
  description: 'Items of a collection were added, removed or reordered',
  data: strict({ added: Type.Array(Id), removed: Type.Array(Id), is_reordered: Type.Boolean() }),
})
