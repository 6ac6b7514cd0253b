import { type TenantTx, tenantIdOf } from '#platform/db'
import { conflict, forbidden } from '#platform/errors'
import { emit } from '#platform/outbox'
import { applyHeartbeat, isViewOpen } from '../content-views/views.rules.ts'
import { roomVisited } from '../enablement.events.ts'
import type { RoomRow } from '../room-records/rooms.queries.ts'
import { getPublicLink } from './public-link.service.ts'
import { lockVisitViews, updateViewRows } from './room-views.queries.ts'
import type { VisitHeartbeat } from './room-visits.schemas.ts'
import { sendVisitAlert } from './visit-alerts.service.ts'
import type { VisitTokens } from './visit-tokens.ts'
import { lockVisit, updateVisitRow, type VisitRow } from './visits.queries.ts'

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

/** Counters are not updated here but by the fold, so that visits never wait for each other. */
export async function updateRoomVisit(
  tx: TenantTx,
  tokens: VisitTokens,
  { shareToken, visitId, visitToken, heartbeat, now }: Heartbeat,
) {
  const { link, room } = await getPublicLink(tx, shareToken, now)
  const ownId = visitToken && tokens.readVisitId(visitToken, { tenantId: tenantIdOf(tx), linkId: link.id })
  if (ownId !== visitId) throw forbidden('visit_required', 'The visit token must belong to this visit.')
  const visit = await lockVisit(tx, visitId)
  if (visit.ended_at !== null || !isViewOpen(visit, now))
    throw conflict('visit_closed', 'The visit ended. Start a new one.')

  const { active_seconds, reported_seconds } = applyHeartbeat({ ...visit, progress: 0, max_page: null }, heartbeat, {
    now,
    hasProgress: false,
  })
  const isLate = visit.heartbeats === 0 && now.getTime() - visit.started_at.getTime() > firstHeartbeatSeconds * 1_000
  const is_bot = visit.is_bot || isLate
  const isNowCounted = visit.counted_at === null && !is_bot && active_seconds >= countedSeconds
  await updateVisitRow(tx, visitId, {
    active_seconds,
    reported_seconds,
    is_bot,
    last_event_at: now,
    heartbeats: visit.heartbeats + 1,
    ...(isNowCounted && { counted_at: now }),
    ...(heartbeat.ended && { ended_at: now }),
  })
  await updateViews(tx, visitId, heartbeat.views ?? [], now)
  if (isNowCounted && !visit.is_internal) await recordVisit(tx, room, { ...visit, counted_at: now })
  return {
    visit_id: visitId,
    state: heartbeat.ended ? ('closed' as const) : ('open' as const),
    active_seconds,
    next_heartbeat_seconds: heartbeatSeconds,
  }
}

type ViewHeartbeats = NonNullable<VisitHeartbeat['views']>

/** Views of other visits are ignored. */
async function updateViews(tx: TenantTx, visitId: string, heartbeats: ViewHeartbeats, now: Date): Promise<void> {
  if (!heartbeats.length) return
  const latest = new Map(heartbeats.map((heartbeat) => [heartbeat.view_id, heartbeat]))
  const views = await lockVisitViews(tx, visitId, [...latest.keys()])
  const changes = views
    .filter((view) => isViewOpen(view, now))
    .map((view) => {
      const heartbeat = latest.get(view.id)!
      const hasProgress = heartbeat.progress !== undefined || view.progress > 0
      const applied = applyHeartbeat(view, heartbeat, { now, hasProgress })
      return { id: view.id, ...applied, completed: view.completed || applied.completed }
    })
  if (changes.length) await updateViewRows(tx, changes, now)
}

async function recordVisit(tx: TenantTx, room: RoomRow, visit: VisitRow): Promise<void> {
  await emit(tx, roomVisited, room, { visit_id: visit.id, visitor_id: visit.visitor_id, link_id: visit.link_id })
  await sendVisitAlert(tx, room, visit)
}
