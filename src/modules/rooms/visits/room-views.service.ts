import { findOpenRoomView, hasProgress, insertView, markRoomViewDownloaded, viewClosesBefore } from '#modules/library'
import type { TenantTx } from '#platform/db'
import { forbidden, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { sendRoomAlert } from '../alerts/alerts.service.ts'
import { getRoomItemRow } from '../items/items.queries.ts'
import { isShown, type RoomItemContent, readRoomItemContent } from '../items/room-content.service.ts'
import type { RoomRow } from '../records/rooms.queries.ts'
import { settingsOf } from '../records/rooms.rules.ts'
import { roomDownloaded, roomItemViewed } from '../rooms.events.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { findVisitor } from '../visit-records/visitors.queries.ts'
import { lockVisit, updateVisitRow, type VisitRow } from '../visit-records/visits.queries.ts'
import { ticketIssuer } from './public-room.service.ts'
import { getOpenVisit } from './visit-access.service.ts'
import { fileUrlsOf, mayDownload, ticketSeconds } from './visitor-files.rules.ts'
import type { NewRoomView } from './visits.schemas.ts'

type ViewServices = Pick<Services, 'clock' | 'files'> & { tokens: VisitTokens }
type ViewRequest = { shareToken: string; visitToken: string | undefined; view: NewRoomView }

/** `isNew` is false if the visit already has an open view of the item. */
export async function createRoomView(
  tx: TenantTx,
  services: ViewServices,
  { shareToken, visitToken, view: { item_id, action = 'open' } }: ViewRequest,
) {
  const now = services.clock.now()
  const { link, room, ...own } = await getOpenVisit(tx, services.tokens, { shareToken, visitToken, now })
  const placed = await getShownItem(tx, room.id, item_id)
  const { downloads_allowed } = settingsOf(room.settings)
  if (action === 'download' && !mayDownload(placed, downloads_allowed))
    throw forbidden('downloads_disabled', 'Downloads of this item are not allowed.')

  const visit = await lockVisit(tx, own.visit.id)
  const { viewId, isNew, reportedSeconds } = await openRoomView(tx, { visit, room, placed, now })
  if (action === 'download' && viewId && (await markRoomViewDownloaded(tx, viewId, now)) && isCounted(visit))
    await recordDownload(tx, room, { visit, itemId: item_id, viewId })
  await updateVisitRow(tx, visit.id, { last_event_at: now })
  const urls = fileUrlsOf(placed, downloads_allowed, ticketIssuer(tx, services.files, { visitId: visit.id, link, now }))
  const fileUrl = action === 'download' ? urls.download_url : urls.url
  const expiresAt = new Date(now.getTime() + ticketSeconds(link.expires_at, now) * 1_000)
  const url = fileUrl ?? placed.row.url ?? placed.content?.url ?? null
  return {
    isNew,
    view: { view_id: viewId, url, expires_at: fileUrl ? expiresAt : null, reported_seconds: reportedSeconds },
  }
}

async function getShownItem(tx: TenantTx, roomId: string, itemId: string): Promise<RoomItemContent> {
  const [placed] = await readRoomItemContent(tx, [await getRoomItemRow(tx, roomId, itemId)])
  if (!placed || !isShown(placed)) throw notFound('room item')
  return placed
}

type OpenedView = { viewId: string | null; isNew: boolean; reportedSeconds: number }
type Opening = { visit: VisitRow; room: RoomRow; placed: RoomItemContent; now: Date }

/** Links and texts have no content item, so only the time of the visit counts for them. */
async function openRoomView(tx: TenantTx, { visit, room, placed, now }: Opening): Promise<OpenedView> {
  const { row, content, versionNo } = placed
  if (!content || visit.is_preview) return { viewId: null, isNew: true, reportedSeconds: 0 }
  const after = viewClosesBefore(now)
  const shown = { roomItemId: row.id, itemId: content.id, versionNo }
  const open = await findOpenRoomView(tx, { visitId: visit.id, ...shown, after })
  if (open) return { viewId: open.id, isNew: false, reportedSeconds: open.reported_seconds }
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
    is_counted: visit.counted_at !== null,
    has_progress: hasProgress(placed.file),
  })
  if (isCounted(visit)) await recordView(tx, room, { visit, itemId: row.id, viewId })
  return { viewId, isNew: true, reportedSeconds: 0 }
}

/** Views of a visit that does not count yet are recorded when it does. */
const isCounted = ({ counted_at, is_internal, is_bot }: VisitRow): boolean =>
  counted_at !== null && !is_internal && !is_bot

type RecordedView = { visit: VisitRow; itemId: string; viewId: string }

export const recordView = (tx: TenantTx, room: RoomRow, { visit, itemId, viewId }: RecordedView): Promise<void> =>
  emit(tx, roomItemViewed, room, { item_id: itemId, visit_id: visit.id, view_id: viewId })

export async function recordDownload(
  tx: TenantTx,
  room: RoomRow,
  { visit, itemId, viewId }: RecordedView,
): Promise<void> {
  await emit(tx, roomDownloaded, room, { item_id: itemId, visit_id: visit.id, view_id: viewId })
  const visitor = await findVisitor(tx, room.id, visit.visitor_id)
  await sendRoomAlert(tx, room, { alert: 'download', visitor, dedupeKey: `room_download:${viewId}` })
}
