import {
  addSeconds,
  applyHeartbeat,
  countVisitViews,
  isViewOpen,
  lockVisitViews,
  updateViewRows,
} from '#modules/library'
import type { TenantTx } from '#platform/db'
import { forbidden } from '#platform/errors'
import { emit } from '#platform/outbox'
import { sendRoomAlert } from '../alerts/alerts.service.ts'
import type { RoomRow } from '../records/rooms.queries.ts'
import { roomVisited } from '../rooms.events.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { findVisitor } from '../visit-records/visitors.queries.ts'
import { lockVisit, readEarlierVisits, updateVisitRow, type VisitRow } from '../visit-records/visits.queries.ts'
import { visitAlertOf } from '../visit-records/visits.rules.ts'
import { recordDownload, recordView } from './room-views.service.ts'
import { assertVisitOpen, getOpenVisit } from './visit-access.service.ts'
import type { VisitHeartbeat } from './visits.schemas.ts'

const heartbeatSeconds = 15
const countedSeconds = 5
const firstHeartbeatSeconds = 60

type Heartbeat = {
  shareToken: string
  visitId: string
  visitToken: string | undefined
  heartbeat: VisitHeartbeat
  now: Date
}

/** Counters are not updated here but by the recount, so that visits never wait for each other. */
export async function updateRoomVisit(
  tx: TenantTx,
  tokens: VisitTokens,
  { shareToken, visitId, visitToken, heartbeat, now }: Heartbeat,
) {
  const own = await getOpenVisit(tx, tokens, { shareToken, visitToken, now })
  if (own.visit.id !== visitId) throw forbidden('visit_required', 'The visit token must belong to this visit.')
  const ended = heartbeat.ended ? { ended_at: now } : {}
  const state = heartbeat.ended ? ('closed' as const) : ('open' as const)
  if (own.visit.is_preview) {
    await updateVisitRow(tx, visitId, { last_event_at: now, ...ended })
    return { visit_id: visitId, state, active_seconds: 0, next_heartbeat_seconds: heartbeatSeconds }
  }
  const visit = await lockVisit(tx, visitId)
  assertVisitOpen(visit, now)

  const { active_seconds, reported_seconds } = addSeconds(visit, heartbeat.active_seconds, now)
  const isLate = visit.heartbeats === 0 && now.getTime() - visit.started_at.getTime() > firstHeartbeatSeconds * 1_000
  const is_bot = visit.is_bot || isLate
  const isNowCounted = visit.counted_at === null && !is_bot && active_seconds >= countedSeconds
  await updateVisitRow(tx, visitId, {
    active_seconds,
    reported_seconds,
    is_bot,
    last_event_at: now,
    last_heartbeat_at: now,
    heartbeats: visit.heartbeats + 1,
    ...(isNowCounted && { counted_at: now }),
    ...ended,
  })
  await updateViews(tx, visitId, heartbeat.views ?? [], now)
  if (isNowCounted) await countVisit(tx, own.room, { ...visit, counted_at: now })
  return { visit_id: visitId, state, active_seconds, next_heartbeat_seconds: heartbeatSeconds }
}

type ViewHeartbeats = NonNullable<VisitHeartbeat['views']>

/** Views of other visits are ignored. */
async function updateViews(tx: TenantTx, visitId: string, heartbeats: ViewHeartbeats, now: Date): Promise<void> {
  if (!heartbeats.length) return
  const latest = new Map(heartbeats.map((heartbeat) => [heartbeat.view_id, heartbeat]))
  const views = await lockVisitViews(tx, visitId, [...latest.keys()])
  const changes = views
    .filter((view) => isViewOpen(view, now))
    .map((view) => ({ id: view.id, ...applyHeartbeat(view, latest.get(view.id)!, now) }))
  if (changes.length) await updateViewRows(tx, changes, now)
}

/** Counts also what the visitor opened before. */
async function countVisit(tx: TenantTx, room: RoomRow, visit: VisitRow): Promise<void> {
  const views = await countVisitViews(tx, visit.id)
  if (visit.is_internal) return
  await emit(tx, roomVisited, room, { visit_id: visit.id, visitor_id: visit.visitor_id, link_id: visit.link_id })
  await sendVisitAlert(tx, room, visit)
  for (const { id, room_item_id, downloaded_at } of views) {
    if (room_item_id === null) continue
    await recordView(tx, room, { visit, itemId: room_item_id, viewId: id })
    if (downloaded_at) await recordDownload(tx, room, { visit, itemId: room_item_id, viewId: id })
  }
}

/** The key makes concurrent first visits one alert. */
export async function sendVisitAlert(tx: TenantTx, room: RoomRow, visit: VisitRow): Promise<void> {
  const [visitor, earlier] = await Promise.all([
    findVisitor(tx, room.id, visit.visitor_id),
    readEarlierVisits(tx, visit),
  ])
  const alert = visitAlertOf(earlier, visit.started_at)
  if (!alert) return
  const dedupeKey = alert === 'first_visit' ? `room_first_visit:${room.id}` : `room_visit:${visit.id}`
  await sendRoomAlert(tx, room, { alert, visitor, dedupeKey })
}
