import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { findCollaboratorRole } from './room-parts.queries.ts'
import { lockRoom, type RoomRow } from './rooms.queries.ts'
import { assertCanEdit } from './rooms.rules.ts'

/** Locks a room that the caller may change. Every change of a part of a room locks the room first. */
export async function lockEditableRoom(tx: TenantTx, actor: UserActor, roomId: string): Promise<RoomRow> {
  const room = await lockRoom(tx, roomId)
  const collaboratorRole = await findCollaboratorRole(tx, roomId, actor.userId)
  assertCanEdit(actor, { owner_id: room.owner_id, collaboratorRole })
  return room
}
