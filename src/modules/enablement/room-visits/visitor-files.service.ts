import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { MayVisitorRead } from '../content-files/content-file-purpose.ts'
import { isShown, readRoomItemContent } from '../room-items/room-content.service.ts'
import { listRoomItemRows } from '../room-items/room-items.queries.ts'
import { isLive } from '../room-links/gate.rules.ts'
import { findLink, getRoomIncludingDeleted } from './public-links.queries.ts'
import { findVisit } from './visits.queries.ts'

/** Checked for every request with a ticket, so that closing a room or revoking a link ends downloads at once. */
export const mayVisitorRead =
  (clock: Clock): MayVisitorRead =>
  async (tx, { visitId, itemId, fileId }) => {
    const visit = await findVisit(tx, visitId)
    if (!visit || !(await isVisitAllowed(tx, visit, clock.now()))) return false
    const placed = await readRoomItemContent(tx, await listRoomItemRows(tx, visit.room_id))
    return placed.some(
      (item) =>
        isShown(item) &&
        item.content?.id === itemId &&
        (item.file?.id === fileId || item.file?.thumbnail_file_id === fileId),
    )
  }

async function isVisitAllowed(tx: TenantTx, visit: { link_id: string; room_id: string }, now: Date): Promise<boolean> {
  const [link, room] = await Promise.all([findLink(tx, visit.link_id), getRoomIncludingDeleted(tx, visit.room_id)])
  return link !== undefined && isLive(link, now) && room.status === 'active' && room.deleted_at === null
}
