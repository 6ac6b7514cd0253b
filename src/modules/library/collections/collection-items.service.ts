import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { invalid, notFound, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { lockItemsShared } from '../content/content.queries.ts'
import { type ContentViewer, canSee } from '../content/content.rules.ts'
import type { ContentContext } from '../content/present-content.service.ts'
import { readViewer } from '../content/viewer.service.ts'
import { collectionItemsChanged } from '../library.events.ts'
import { closeGap, deleteEntriesOfItem, deleteEntry, listEntries, upsertEntries } from './collection-items.queries.ts'
import {
  type CollectionRow,
  findCollection,
  lockCollection,
  lockCollectionsOfItem,
  updateCollectionRow,
} from './collections.queries.ts'
import {
  assertCanEditCollection,
  assertItemLimit,
  assertNotArchived,
  assertSameItems,
  assertUniqueIds,
  canSeeCollection,
  insertAt,
} from './collections.rules.ts'
import type { AddedEntries, NewEntries } from './collections.schemas.ts'
import { presentEntries } from './present-collection.service.ts'

async function assertCollectionEditable(tx: TenantTx, viewer: ContentViewer, id: string): Promise<void> {
  const collection = await findCollection(tx, id)
  if (!collection) throw notFound('collection')
  assertMayChangeItems(collection, viewer)
}

function assertMayChangeItems(collection: CollectionRow, viewer: ContentViewer): void {
  if (!canSeeCollection(collection, viewer)) throw notFound('collection')
  assertCanEditCollection(collection, viewer)
  assertNotArchived(collection)
}

async function lockEditableCollection(tx: TenantTx, id: string) {
  const viewer = await readViewer(tx)
  const collection = await lockCollection(tx, id)
  assertMayChangeItems(collection, viewer)
  const entries = await listEntries(tx, id)
  return { viewer, collection, currentIds: entries.map(({ content_item_id }) => content_item_id) }
}

/** Items that the caller cannot see do not exist for the caller. Locks them before the collection, as their deletion does. */
export async function lockAddableItems(tx: TenantTx, viewer: ContentViewer, ids: readonly string[]): Promise<void> {
  const items = ids.length ? await lockItemsShared(tx, ids) : []
  const byId = new Map(items.map((item) => [item.id, item]))
  ids.forEach((id, index) => {
    const item = byId.get(id)
    if (!item || !canSee(item, viewer)) throw unknownReference(`/item_ids/${index}`, 'content item')
    if (item.status === 'archived')
      throw invalid('body', `/item_ids/${index}`, 'archived', 'Archived content cannot be added. Restore it first.')
  })
}

export async function addCollectionItems(
  tx: TenantTx,
  id: string,
  { item_ids, position, note }: NewEntries,
): Promise<AddedEntries> {
  const requestedIds = [...new Set(item_ids)]
  const viewer = await readViewer(tx)
  await assertCollectionEditable(tx, viewer, id)
  await lockAddableItems(tx, viewer, requestedIds)
  const { collection, currentIds } = await lockEditableCollection(tx, id)
  const already = requestedIds.filter((itemId) => currentIds.includes(itemId))
  const added = requestedIds.filter((itemId) => !currentIds.includes(itemId))
  if (added.length) await addItems(tx, collection, { current: currentIds, added, position, note: note ?? null })
  return { added, already, item_count: currentIds.length + added.length }
}

type AddedItems = { current: readonly string[]; added: readonly string[]; position?: number; note: string | null }

export async function addItems(
  tx: TenantTx,
  collection: Pick<CollectionRow, 'id'>,
  { current, added, position, note }: AddedItems,
): Promise<void> {
  assertItemLimit(current.length + added.length)
  await upsertEntries(tx, collection.id, insertAt(current, added, position), { note, addedBy: actorOf(tx).userId })
  await recordItemsChanged(tx, collection.id, current.length + added.length, { added })
}

export async function reorderCollectionItems(
  tx: TenantTx,
  context: ContentContext,
  id: string,
  itemIds: readonly string[],
) {
  assertUniqueIds(itemIds)
  const { viewer, currentIds } = await lockEditableCollection(tx, id)
  assertSameItems(currentIds, itemIds)
  if (itemIds.some((itemId, index) => itemId !== currentIds[index])) {
    await upsertEntries(tx, id, itemIds, { note: null, addedBy: null })
    await recordItemsChanged(tx, id, itemIds.length, { reordered: itemIds })
  }
  return await presentEntries(tx, context, viewer, await listEntries(tx, id))
}

export async function removeCollectionItem(tx: TenantTx, id: string, itemId: string): Promise<void> {
  const { currentIds, collection } = await lockEditableCollection(tx, id)
  const position = await deleteEntry(tx, id, itemId)
  if (position === undefined) throw notFound('collection item')
  await closeGap(tx, id, position)
  if (collection.cover_item_id === itemId) await updateCollectionRow(tx, id, { cover_item_id: null })
  await recordItemsChanged(tx, id, currentIds.length - 1, { removed: [itemId] })
}

type ItemChanges = { added?: readonly string[]; removed?: readonly string[]; reordered?: readonly string[] }

async function recordItemsChanged(tx: TenantTx, id: string, itemCount: number, changes: ItemChanges): Promise<void> {
  const collection = await updateCollectionRow(tx, id, { item_count: itemCount })
  await recordAudit(tx, 'collection.items_changed', { id, label: collection.name, after: changes })
  const { added = [], removed = [], reordered } = changes
  await emit(tx, collectionItemsChanged, collection, {
    added: [...added],
    removed: [...removed],
    is_reordered: reordered !== undefined,
  })
}

/** Called when an item is deleted. */
export async function removeItemFromCollections(tx: TenantTx, itemId: string): Promise<void> {
  const collectionIds = await lockCollectionsOfItem(tx, itemId)
  if (!collectionIds.length) return
  await deleteEntriesOfItem(tx, itemId)
  for (const id of collectionIds) await emitRemoval(tx, id, itemId)
}

async function emitRemoval(tx: TenantTx, collectionId: string, itemId: string): Promise<void> {
  const entries = await listEntries(tx, collectionId)
  await recordItemsChanged(tx, collectionId, entries.length, { removed: [itemId] })
}
