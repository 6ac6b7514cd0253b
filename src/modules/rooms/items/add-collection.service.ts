import { canSeeCollection, findCollection, listEntries, readViewer, resolveContent } from '#modules/library'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emitMany } from '#platform/outbox'
import { lockEditableRoom } from '../records/room-access.service.ts'
import { touchRoom } from '../records/rooms.queries.ts'
import { roomItemAdded } from '../rooms.events.ts'
import { insertRoomItems, listRoomItemRows } from './items.queries.ts'
import { assertOnlyCollection, maxItems, selectEligible } from './items.rules.ts'
import type { AddedCollection, NewRoomItem } from './items.schemas.ts'
import { assertSection, listRoomItems } from './items.service.ts'

/** Copies the entries that the caller may share. Later changes of the collection do not change the room. */
export async function addCollectionToRoom(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  input: NewRoomItem & { collection_id: string },
): Promise<AddedCollection> {
  assertOnlyCollection(input)
  const { collection_id, section_id = null, is_visible = true, downloads_allowed = null } = input
  const room = await lockEditableRoom(tx, actor, roomId)
  const viewer = await readViewer(tx)
  const collection = await findCollection(tx, collection_id)
  if (!collection || !canSeeCollection(collection, viewer)) throw unknownReference('/collection_id', 'collection')
  await assertSection(tx, roomId, section_id)

  const ids = (await listEntries(tx, collection_id)).map(({ content_item_id }) => content_item_id)
  const items = await listRoomItemRows(tx, roomId)
  const { eligible, skipped } = selectEligible([...(await resolveContent(tx, ids, viewer)).values()], {
    inRoom: new Set(items.flatMap(({ content_item_id }) => content_item_id ?? [])),
    free: maxItems - items.length,
    userId: viewer.userId,
  })
  const added = eligible.map((content_item_id, index) => ({
    id: newId(),
    kind: 'content',
    content_item_id,
    section_id,
    is_visible,
    downloads_allowed,
    pinned_version_no: null,
    title: null,
    description: null,
    url: null,
    body: null,
    position: items.length + index,
    added_by: actor.userId,
  }))
  if (!added.length) return { added: [], skipped }
  await insertRoomItems(tx, roomId, added)
  const subject = await touchRoom(tx, roomId)
  await recordAudit(tx, 'room.collection_added', {
    id: roomId,
    label: room.name,
    after: { collection_id, content_item_ids: eligible },
  })
  await emitMany(
    tx,
    roomItemAdded,
    added.map(({ id, kind, content_item_id }) => ({ subject, data: { item_id: id, kind, content_item_id } })),
  )
  const addedIds = new Set(added.map(({ id }) => id))
  return { added: (await listRoomItems(tx, roomId)).filter(({ id }) => addedIds.has(id)), skipped }
}
