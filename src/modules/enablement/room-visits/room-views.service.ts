import type { TenantTx } from '#platform/db'
import { forbidden, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { insertView } from '../content-views/views.queries.ts'
import { viewClosesBefore } from '../content-views/views.rules.ts'
import { roomDownloaded, roomItemViewed } from '../enablement.events.ts'
import { sendRoomAlert } from '../room-alerts/room-alerts.service.ts'
import { isShown, type RoomItemContent, readRoomItemContent } from '../room-items/room-content.service.ts'
import { getRoomItemRow } from '../room-items/room-items.queries.ts'
import type { RoomRow } from '../room-records/rooms.queries.ts'
import { settingsOf } from '../room-records/rooms.rules.ts'
import { getOwnVisit, getPublicLink } from './public-link.service.ts'
import { ticketIssuer } from './public-room.service.ts'
import { findOpenRoomView, markRoomViewDownloaded } from './room-views.queries.ts'
import type { NewRoomView } from './room-visits.schemas.ts'
import type { VisitTokens } from './visit-tokens.ts'
import { fileUrlsOf, mayDownload, ticketSeconds } from './visitor-files.rules.ts'
import { findVisitor } from './visitors.queries.ts'
import { lockVisit, updateVisitRow, type VisitRow } from './visits.queries.ts'

type ViewServices = Pick<Services, 'clock' | 'files'> & { tokens: VisitTokens }
type ViewRequest = { shareToken: string; visitToken: string | undefined; view: NewRoomView }

/** `isNew` is false if the visit already has an open view of the item. */
export async function createRoomView(
  tx: TenantTx,
  services: ViewServices,
  { shareToken, visitToken, view: { item_id, action = 'open' } }: ViewRequest,
) {
  const now = services.clock.now()
  const { link, room } = await getPublicLink(tx, shareToken, now)
  const own = await getOwnVisit(tx, services.tokens, { visitToken, link })
  const placed = await getShownItem(tx, room.id, item_id)
  const { downloads_allowed } = settingsOf(room.settings)
  if (action === 'download' && !mayDownload(placed, downloads_allowed))
    throw forbidden('downloads_disabled', 'Downloads of this item are not allowed.')

  const visit = await lockVisit(tx, own.id)
  const { viewId, isNew } = await openRoomView(tx, { visit, room, placed, now })
  if (action === 'download' && viewId) await recordDownload(tx, { visit, room, placed, viewId, now })
  await updateVisitRow(tx, visit.id, { last_event_at: now })
  const urls = fileUrlsOf(placed, downloads_allowed, ticketIssuer(tx, services.files, { visitId: visit.id, link, now }))
  const fileUrl = action === 'download' ? urls.download_url : urls.url
  const expiresAt = new Date(now.getTime() + ticketSeconds(link.expires_at, now) * 1_000)
  const url = fileUrl ?? placed.row.url ?? placed.content?.url ?? null
  return { isNew, view: { view_id: viewId, url, expires_at: fileUrl ? expiresAt : null } }
}

async function getShownItem(tx: TenantTx, roomId: string, itemId: string): Promise<RoomItemContent> {
  const [placed] = await readRoomItemContent(tx, [await getRoomItemRow(tx, roomId, itemId)])
  if (!placed || !isShown(placed)) throw notFound('room item')
  return placed
}

type Opening = { visit: VisitRow; room: RoomRow; placed: RoomItemContent; now: Date }

/** Links and texts have no content item, so only the time of the visit counts for them. */
async function openRoomView(
  tx: TenantTx,
  { visit, room, placed, now }: Opening,
): Promise<{ viewId: string | null; isNew: boolean }> {
  const { row, content, versionNo } = placed
  if (!content) return { viewId: null, isNew: true }
  const open = await findOpenRoomView(tx, { visitId: visit.id, roomItemId: row.id, after: viewClosesBefore(now) })
  if (open) return { viewId: open.id, isNew: false }
  const viewId = newId()
  await insertView(tx, {
    id: viewId,
    item_id: content.id,
    version_no: versionNo,
    source: 'room',
    visitor_id: visit.visitor_id,
    visit_id: visit.id,
    room_id: room.id,
    room_item_id: row.id,
    account_id: room.account_id,
    opportunity_id: room.opportunity_id,
    started_at: now,
    last_event_at: now,
    is_internal: visit.is_internal,
    is_bot: visit.is_bot,
  })
  if (!visit.is_internal && !visit.is_bot)
    await emit(tx, roomItemViewed, room, { item_id: row.id, visit_id: visit.id, view_id: viewId })
  return { viewId, isNew: true }
}

async function recordDownload(
  tx: TenantTx,
  { visit, room, placed, viewId, now }: Opening & { viewId: string },
): Promise<void> {
  const isFirst = await markRoomViewDownloaded(tx, viewId, now)
  if (!isFirst || visit.is_internal || visit.is_bot) return
  await emit(tx, roomDownloaded, room, { item_id: placed.row.id, visit_id: visit.id, view_id: viewId })
  const visitor = await findVisitor(tx, room.id, visit.visitor_id)
  await sendRoomAlert(tx, room, { alert: 'download', visitor, dedupeKey: `room_download:${viewId}` })
}
