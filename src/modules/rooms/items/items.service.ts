import { findVersionByNumber, isInternalType, listVisibleItems, readViewer } from '#modules/library'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, invalid, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { BodyHtml } from '#platform/markdown'
import { emit } from '#platform/outbox'
import { moveId } from '../plan/plan.rules.ts'
import { lockEditableRoom } from '../records/room-access.service.ts'
import { listSections } from '../records/room-parts.queries.ts'
import { type RoomRow, touchRoom } from '../records/rooms.queries.ts'
import { roomItemAdded, roomItemRemoved, roomItemUpdated } from '../rooms.events.ts'
import {
  deleteRoomItemRow,
  getRoomItemRow,
  insertRoomItem,
  listRoomItemRows,
  type RoomItemRow,
  updateItemPositions,
  updateRoomItemRow,
} from './items.queries.ts'
import { assertCompleteItem, assertItemLimit, assertNoPinnedVersion, internalOnlyType } from './items.rules.ts'
import type { ItemKind, NewRoomItem, RoomItem, RoomItemChanges } from './items.schemas.ts'
import { isRestricted, isShareable } from './room-content.rules.ts'
import { readRoomItemContent } from './room-content.service.ts'

export async function createRoomItem(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { position, ...input }: Omit<NewRoomItem, 'collection_id'>,
  bodyHtml?: BodyHtml,
): Promise<RoomItem> {
  assertCompleteItem(input)
  const room = await lockEditableRoom(tx, actor, roomId)
  if (input.content_item_id) await assertCanShare(tx, input.content_item_id, input.pinned_version_no)
  await assertSection(tx, roomId, input.section_id)
  const items = await listRoomItemRows(tx, roomId)
  assertNotInRoom(items, input.content_item_id)
  assertItemLimit(items.length + 1)

  const item = await insertRoomItem(tx, {
    id: newId(),
    room_id: roomId,
    kind: 'content',
    ...input,
    ...bodyHtml,
    position: items.length,
    added_by: actor.userId,
  })
  if (position !== undefined) await moveItem(tx, items, item.id, position)
  await recordItemChange(tx, room, { after: item })
  return await presentRoomItem(tx, roomId, item.id)
}

function assertNotInRoom(items: readonly RoomItemRow[], contentItemId: string | undefined): void {
  const existing = contentItemId && items.find(({ content_item_id }) => content_item_id === contentItemId)
  if (existing)
    throw conflict('already_exists', 'The content item is already in the room.', { existing_id: existing.id })
}

async function assertCanShare(tx: TenantTx, contentItemId: string, pinned: number | null | undefined): Promise<void> {
  const [content] = await listVisibleItems(tx, [contentItemId])
  if (!content) throw unknownReference('/content_item_id', 'content item')
  if (isInternalType(content.type)) throw internalOnlyType()
  if (!isShareable(content, actorOf(tx).userId))
    throw invalid(
      'body',
      '/content_item_id',
      'not_published',
      '`content_item_id` must refer to published content or to an own draft that was never published.',
    )
  if (pinned) await assertPinnedVersion(tx, contentItemId, pinned)
}

async function assertPinnedVersion(tx: TenantTx, contentItemId: string, versionNo: number): Promise<void> {
  const version = await findVersionByNumber(tx, contentItemId, versionNo)
  if (!version || version.removed_at !== null)
    throw unknownReference('/pinned_version_no', 'version of the content item')
}

export async function assertSection(tx: TenantTx, roomId: string, sectionId: string | null | undefined): Promise<void> {
  if (!sectionId) return
  const sections = await listSections(tx, roomId)
  if (!sections.some(({ id }) => id === sectionId)) throw unknownReference('/section_id', 'section of the room')
}

type UpdateItemInput = { changes: RoomItemChanges; bodyHtml?: BodyHtml | undefined; expectedVersion?: number }

export async function updateRoomItem(
  tx: TenantTx,
  actor: UserActor,
  { roomId, itemId }: { roomId: string; itemId: string },
  { changes: { position, ...requested }, bodyHtml, expectedVersion }: UpdateItemInput,
): Promise<RoomItem> {
  const room = await lockEditableRoom(tx, actor, roomId)
  const item = await getRoomItemRow(tx, roomId, itemId)
  assertVersion(item, expectedVersion)
  assertFieldsOfKind(item, requested)
  const changes = changedFields(item, requested)
  await assertSection(tx, roomId, changes.section_id)
  if (changes.pinned_version_no) {
    if (item.content_item_id === null) assertNoPinnedVersion(changes)
    else await assertPinnedVersion(tx, item.content_item_id, changes.pinned_version_no)
  }
  const html = changes.body === undefined ? undefined : bodyHtml
  const updated = Object.keys(changes).length ? await updateRoomItemRow(tx, itemId, { ...changes, ...html }) : item
  if (position !== undefined) await moveItem(tx, await listRoomItemRows(tx, roomId), itemId, position)
  const placed = await getRoomItemRow(tx, roomId, itemId)
  if (placed.version !== item.version) await recordItemChange(tx, room, { before: item, after: updated })
  return await presentRoomItem(tx, roomId, itemId)
}

function assertFieldsOfKind({ kind }: RoomItemRow, { url, body, title }: RoomItemChanges): void {
  const refuse = (field: string, message: string) => invalid('body', `/${field}`, 'unexpected', message)
  if (url !== undefined && kind !== 'link') throw refuse('url', '`url` is only possible for links.')
  if (body !== undefined && kind !== 'text') throw refuse('body', '`body` is only possible for texts.')
  if (title === null && kind !== 'content') throw refuse('title', '`title` is required for links and texts.')
}

export async function deleteRoomItem(
  tx: TenantTx,
  actor: UserActor,
  { roomId, itemId }: { roomId: string; itemId: string },
): Promise<void> {
  const room = await lockEditableRoom(tx, actor, roomId)
  const item = await getRoomItemRow(tx, roomId, itemId)
  await deleteRoomItemRow(tx, itemId)
  await updateItemPositions(
    tx,
    (await listRoomItemRows(tx, roomId)).map(({ id }) => id),
  )
  await recordItemChange(tx, room, { before: item })
}

const moveItem = (tx: TenantTx, items: readonly RoomItemRow[], id: string, position: number): Promise<void> =>
  updateItemPositions(
    tx,
    moveId(
      items.map((item) => item.id),
      id,
      position,
    ),
  )

async function recordItemChange(
  tx: TenantTx,
  room: RoomRow,
  { before, after }: { before?: RoomItemRow; after?: RoomItemRow },
): Promise<void> {
  const touched = await touchRoom(tx, room.id)
  const [action, event] = !before
    ? (['room.item_added', roomItemAdded] as const)
    : after
      ? (['room.item_updated', roomItemUpdated] as const)
      : (['room.item_removed', roomItemRemoved] as const)
  await recordAudit(tx, action, { id: room.id, label: room.name, before, after })
  const { id, kind, content_item_id } = (after ?? before)!
  await emit(tx, event, touched, { item_id: id, kind, content_item_id })
}

export async function listRoomItems(tx: TenantTx, roomId: string): Promise<RoomItem[]> {
  return await presentRoomItems(tx, await listRoomItemRows(tx, roomId))
}

async function presentRoomItem(tx: TenantTx, roomId: string, itemId: string): Promise<RoomItem> {
  return (await presentRoomItems(tx, [await getRoomItemRow(tx, roomId, itemId)]))[0]!
}

async function presentRoomItems(tx: TenantTx, rows: readonly RoomItemRow[]): Promise<RoomItem[]> {
  const [viewer, placed] = await Promise.all([readViewer(tx), readRoomItemContent(tx, rows)])
  return placed.map((item) => {
    const { row, state, content, file } = item
    const { room_id: _, ...fields } = row
    const shown = { ...fields, kind: row.kind as ItemKind, state }
    if (isRestricted(item, viewer)) return { ...shown, ...maskedFields, is_restricted: true }
    return {
      ...shown,
      is_restricted: false,
      content: content
        ? {
            id: content.id,
            title: content.title,
            type: content.type,
            status: content.status,
            media_type: file?.media_type ?? null,
            size_bytes: file?.size_bytes ?? null,
          }
        : null,
    }
  })
}

const maskedFields = { content_item_id: null, content: null, pinned_version_no: null, title: null, description: null }

/** Titles of the items, by id. Titles of content that the reader may not see are empty. */
export async function readItemTitles(tx: TenantTx, rows: readonly RoomItemRow[]): Promise<Map<string, string>> {
  if (!rows.length) return new Map()
  const [viewer, placed] = await Promise.all([readViewer(tx), readRoomItemContent(tx, rows)])
  return new Map(
    placed.map((item) => {
      const { row, content, added } = item
      return [row.id, isRestricted(item, viewer) ? '' : (row.title ?? content?.title ?? added?.title ?? '')]
    }),
  )
}
