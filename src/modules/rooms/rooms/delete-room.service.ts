import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { deleteUnlessReferenced, type TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { deleteRoomRow, hasVisits, lockRoom, updateRoomRow } from '../records/rooms.queries.ts'
import { assertOwnsOrManages } from '../records/rooms.rules.ts'
import { roomDeleted } from '../rooms.events.ts'

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
