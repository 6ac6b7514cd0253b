import { assertAssignable } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Page, type TenantTx, toSearchText, violatedConstraint, withSavepoint } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, invalid, notFound, roleRequired } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { listItemsByIds } from '../content/content.queries.ts'
import { type ContentViewer, canSee } from '../content/content.rules.ts'
import { assertTeamsExist } from '../content/create-content.service.ts'
import type { ContentContext } from '../content/present-content.service.ts'
import { readViewer } from '../content/viewer.service.ts'
import { collectionCreated, collectionDeleted, collectionUpdated } from '../library.events.ts'
import { listEntries } from './collection-items.queries.ts'
import { addItems, lockAddableItems } from './collection-items.service.ts'
import {
  deleteCollectionRow,
  findCollection,
  findCollectionIdByName,
  insertCollection,
  listCollectionRows,
  lockCollection,
  updateCollectionRow,
} from './collections.queries.ts'
import { assertCanEditCollection, assertNotArchived, assertUniqueIds, canSeeCollection } from './collections.rules.ts'
import type {
  Collection,
  CollectionChanges,
  CollectionFilter,
  CollectionSummary,
  NewCollection,
} from './collections.schemas.ts'
import { presentCollection, presentCollectionSummaries } from './present-collection.service.ts'

export async function listCollections(
  tx: TenantTx,
  context: ContentContext,
  filter: CollectionFilter,
): Promise<Page<CollectionSummary>> {
  const viewer = await readViewer(tx)
  const page = await listCollectionRows(tx, viewer, filter)
  return { ...page, items: await presentCollectionSummaries(tx, context, viewer, page.items) }
}

export async function getCollection(tx: TenantTx, context: ContentContext, id: string): Promise<Collection> {
  const viewer = await readViewer(tx)
  const collection = await findCollection(tx, id)
  if (!collection || !canSeeCollection(collection, viewer)) throw notFound('collection')
  return await presentCollection(tx, context, viewer, collection)
}

export async function createCollection(
  tx: TenantTx,
  context: ContentContext,
  actor: UserActor,
  { item_ids = [], ...input }: NewCollection,
): Promise<Collection> {
  const viewer = await readViewer(tx)
  assertUniqueIds(item_ids)
  await assertTeamsExist(tx, input.audience_team_ids)
  await lockAddableItems(tx, viewer, item_ids)
  const fields = { ...input, id: newId(), owner_id: actor.userId, search_text: searchTextOf(input) }
  const collection = await uniquely(tx, input.name, () => insertCollection(tx, fields))
  await recordAudit(tx, 'collection.created', { id: collection.id, label: collection.name, after: collection })
  await emit(tx, collectionCreated, collection, { name: collection.name })
  if (item_ids.length) await addItems(tx, collection, { current: [], added: item_ids, note: null })
  return await getCollection(tx, context, collection.id)
}

type UpdateCollectionInput = { changes: CollectionChanges; expectedVersion?: number }

export async function updateCollection(
  tx: TenantTx,
  context: ContentContext,
  id: string,
  { changes: { archived, ...requested }, expectedVersion }: UpdateCollectionInput,
): Promise<Collection> {
  const viewer = await readViewer(tx)
  const collection = await lockCollection(tx, id)
  if (!canSeeCollection(collection, viewer)) throw notFound('collection')
  assertCanEditCollection(collection, viewer)
  assertVersion(collection, expectedVersion)
  const isArchived = archived ?? collection.archived_at !== null
  const edits = changedFields(collection, requested)
  if (Object.keys(edits).length && isArchived) assertNotArchived(collection)
  await assertTeamsExist(tx, edits.audience_team_ids)
  if (edits.owner_id) await assertNewOwner(tx, edits.owner_id, viewer.isManager)
  if (edits.cover_item_id) await assertCover(tx, viewer, id, edits.cover_item_id)

  const isToggled = isArchived !== (collection.archived_at !== null)
  const changes = { ...edits, ...(isToggled && { archived_at: isArchived ? context.clock.now() : null }) }
  if (Object.keys(changes).length) {
    const edited = { ...collection, ...edits }
    const changed = await uniquely(tx, edited.name, () =>
      updateCollectionRow(tx, id, { ...changes, search_text: searchTextOf(edited) }),
    )
    await recordAudit(tx, 'collection.updated', { id, label: changed.name, before: collection, after: changed })
    await emit(tx, collectionUpdated, changed, { changed: Object.keys(changes) })
  }
  return await getCollection(tx, context, id)
}

async function assertNewOwner(tx: TenantTx, ownerId: string, isManager: boolean): Promise<void> {
  if (!isManager) throw roleRequired('Only managers can choose another owner.')
  await assertAssignable(tx, ownerId)
}

async function assertCover(tx: TenantTx, viewer: ContentViewer, id: string, itemId: string): Promise<void> {
  const [entries, [item]] = await Promise.all([listEntries(tx, id), listItemsByIds(tx, [itemId])])
  const isEntry = entries.some(({ content_item_id }) => content_item_id === itemId)
  if (!isEntry || !item || !canSee(item, viewer))
    throw invalid('body', '/cover_item_id', 'not_in_collection', '`cover_item_id` must be an item of the collection.')
}

export async function deleteCollection(tx: TenantTx, id: string, expectedVersion?: number): Promise<void> {
  const viewer = await readViewer(tx)
  const collection = await lockCollection(tx, id)
  if (!canSeeCollection(collection, viewer)) throw notFound('collection')
  assertCanEditCollection(collection, viewer)
  assertVersion(collection, expectedVersion)
  await deleteCollectionRow(tx, id)
  await recordAudit(tx, 'collection.deleted', { id, label: collection.name, before: collection })
  await emit(tx, collectionDeleted, collection, {})
}

const searchTextOf = ({ name, description }: { name: string; description?: string | null }) =>
  toSearchText(name, description)

/** The unique index decides about names, also of concurrent requests. */
async function uniquely<T>(tx: TenantTx, name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await withSavepoint(tx, write)
  } catch (error) {
    if (violatedConstraint(error) !== 'collections_name_unique') throw error
    const existing_id = await findCollectionIdByName(tx, name)
    throw conflict('already_exists', 'A collection with this name already exists.', { existing_id })
  }
}
