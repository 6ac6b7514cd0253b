import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, violatedConstraint, withSavepoint } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { roomDeleted } from '../enablement.events.ts'
import { deleteRoomRow, hasVisits, lockRoom, updateRoomRow } from './rooms.queries.ts'
import { assertOwnsOrManages } from './rooms.rules.ts'

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

  const isRemoved = !(await hasVisits(tx, roomId)) && (await removeIfUnused(tx, roomId))
  if (!isRemoved) await updateRoomRow(tx, roomId, { deleted_at: now })
  await recordAudit(tx, 'room.deleted', { id: roomId, label: room.name, before: room })
  await emit(tx, roomDeleted, room, {})
}

/** A room that other modules refer to keeps its row. */
async function removeIfUnused(tx: TenantTx, roomId: string): Promise<boolean> {
  try {
    await withSavepoint(tx, () => deleteRoomRow(tx, roomId))
    return true
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    return false
  }
}
