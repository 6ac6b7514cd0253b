import type { MayVisitorRead } from '#modules/library'
import type { TenantTx } from '#platform/db'
import { listRoomItemRows } from '../items/items.queries.ts'
import { isShown, readRoomItemContent } from '../items/room-content.service.ts'
import { showsRoom } from '../links/gate.rules.ts'
import { findLink, getRoomIncludingDeleted } from '../links/links.queries.ts'
import { isPreviewOpen } from '../previews/preview-access.service.ts'
import type { RoomRow } from '../records/rooms.queries.ts'
import { settingsOf } from '../records/rooms.rules.ts'
import { findVisitor } from '../visit-records/visitors.queries.ts'
import { findVisit, type VisitRow } from '../visit-records/visits.queries.ts'
import { isVisitorAllowed } from './visit-access.service.ts'
import { mayDownload } from './visitor-files.rules.ts'

/** Checked for every request with a ticket, so that a change of the room or of its link ends downloads at once. */
export const mayVisitorRead: MayVisitorRead = async (tx, { visitId, itemId, fileId, isDownload, now }) => {
  const visit = await findVisit(tx, visitId)
  const room = visit && (await findVisitedRoom(tx, visit, now))
  if (!room) return false
  const placed = await readRoomItemContent(tx, await listRoomItemRows(tx, room.id))
  const { downloads_allowed } = settingsOf(room.settings)
  return placed.some(
    (item) =>
      isShown(item) &&
      item.content?.id === itemId &&
      (item.file?.thumbnail_file_id === fileId ||
        (item.file?.id === fileId && (!isDownload || mayDownload(item, downloads_allowed)))),
  )
}

async function findVisitedRoom(tx: TenantTx, visit: VisitRow, now: Date): Promise<RoomRow | undefined> {
  const [link, room, visitor] = await Promise.all([
    findLink(tx, visit.link_id),
    getRoomIncludingDeleted(tx, visit.room_id),
    findVisitor(tx, visit.room_id, visit.visitor_id),
  ])
  if (!link || !visitor) return undefined
  const isAllowed = visit.is_preview
    ? await isPreviewOpen(tx, { link, room, visit }, now)
    : showsRoom({ link, room }, now) && isVisitorAllowed(link, visit, visitor)
  return isAllowed ? room : undefined
}
