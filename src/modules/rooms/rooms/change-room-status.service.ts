import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { deleteUnlessReferenced, type TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { listRoomItemRows } from '../items/items.queries.ts'
import { isShown, readRoomItemContent } from '../items/room-content.service.ts'
import type { RoomStatus } from '../records/room-fields.schemas.ts'
import { deleteRoomRow, hasVisits, lockRoom, type RoomRow, updateRoomRow } from '../records/rooms.queries.ts'
import { assertCanActivate, assertOwnsOrManages, assertTransition } from '../records/rooms.rules.ts'
import { roomActivated, roomArchived, roomClosed, roomDeleted, roomReopened, roomRestored } from '../rooms.events.ts'

export async function changeRoomStatus(
  tx: TenantTx,
  actor: UserActor,
  room: RoomRow,
  to: RoomStatus,
  { clock }: Pick<Services, 'clock'>,
): Promise<RoomRow> {
  assertTransition(room, to)
  if (to === 'archived' || room.status === 'archived') assertOwnsOrManages(actor, room)
  if (room.status === 'draft' && to === 'active') assertCanActivate(room, await hasVisibleItems(tx, room.id))
  const now = clock.now()

  const changed = await updateRoomRow(tx, room.id, {
    status: to,
    ...(to === 'active' && { activated_at: room.activated_at ?? now, closed_at: null }),
    ...(to === 'closed' && { closed_at: now }),
  })
  await recordAudit(tx, eventOf(room, to).type as `room.${string}`, {
    id: room.id,
    label: room.name,
    before: room,
    after: changed,
  })
  await emit(tx, eventOf(room, to), changed, {})
  return changed
}

async function hasVisibleItems(tx: TenantTx, roomId: string): Promise<boolean> {
  return (await readRoomItemContent(tx, await listRoomItemRows(tx, roomId))).some(isShown)
}

function eventOf({ status }: RoomRow, to: RoomStatus) {
  if (to === 'archived') return roomArchived
  if (status === 'archived') return roomRestored
  if (to === 'closed') return roomClosed
  return status === 'closed' ? roomReopened : roomActivated
}

type DeleteRoomInput = { expectedVersion?: number; now: Date }

export async function deleteRoom(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { expectedVersion, now }: DeleteRoomInput,
): Promise<void> {
  const room = await lockRoom(tx, roomId)
  assertOwnsOrManages(actor, room)
  assertVersion(room, expectedVersion)

  // A room that other modules refer to keeps its row.
  const isRemoved =
    !(await hasVisits(tx, roomId)) && (await deleteUnlessReferenced(tx, () => deleteRoomRow(tx, roomId)))
  if (!isRemoved) await updateRoomRow(tx, roomId, { deleted_at: now })
  await recordAudit(tx, 'room.deleted', { id: roomId, label: room.name, before: room })
  await emit(tx, roomDeleted, room, {})
}
