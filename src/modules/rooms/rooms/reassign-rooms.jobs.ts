import { userDeactivated } from '#events/identity'
import { findActiveTeamLead, listActiveAdminIds } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { emit, subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { notifyNewOwner } from '../alerts/alerts.service.ts'
import { lockRoomsOfOwner, updateRoomRow } from '../records/rooms.queries.ts'
import { roomUpdated } from '../rooms.events.ts'

const reassignRoomsJob = defineJob('enablement.reassign_rooms', 'events', strict({ user_id: Id }))

export const onOwnerDeactivated = subscribe(userDeactivated, 'enablement.reassign_rooms', (tx, { subject: { id } }) =>
  enqueue(tx, reassignRoomsJob, { user_id: id }),
)

/** Gives rooms of a deactivated user to the lead of their team, else to an admin. Visitors notice nothing. */
export const reassignRoomsHandler = defineJobHandler(reassignRoomsJob, async ({ inTenant }, { user_id }) => {
  let reassigned: number
  do reassigned = await inTenant((tx) => reassignRooms(tx, user_id))
  while (reassigned > 0)
})

async function reassignRooms(tx: TenantTx, userId: string): Promise<number> {
  const newOwnerId = (await findActiveTeamLead(tx, userId)) ?? (await listActiveAdminIds(tx))[0]
  if (newOwnerId === undefined || newOwnerId === userId) return 0
  const rooms = await lockRoomsOfOwner(tx, userId)
  for (const room of rooms) {
    const changed = await updateRoomRow(tx, room.id, { owner_id: newOwnerId })
    await recordAudit(tx, 'room.updated', { id: room.id, label: room.name, before: room, after: changed })
    await emit(tx, roomUpdated, changed, { changed: ['owner_id'] })
    await notifyNewOwner(tx, changed)
  }
  return rooms.length
}
