import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { listRoomItemRows } from '../items/items.queries.ts'
import { isShown, readRoomItemContent } from '../items/room-content.service.ts'
import type { RoomStatus } from '../records/room-fields.schemas.ts'
import { type RoomRow, updateRoomRow } from '../records/rooms.queries.ts'
import { assertCanActivate, assertOwnsOrManages, assertTransition } from '../records/rooms.rules.ts'
import { roomActivated, roomArchived, roomClosed, roomReopened, roomRestored } from '../rooms.events.ts'

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
