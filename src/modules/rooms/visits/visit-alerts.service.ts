import type { TenantTx } from '#platform/db'
import { sendRoomAlert } from '../alerts/alerts.service.ts'
import type { RoomRow } from '../records/rooms.queries.ts'
import { findVisitor } from '../visit-records/visitors.queries.ts'
import { readEarlierVisits, type VisitRow } from '../visit-records/visits.queries.ts'
import { visitAlertOf } from '../visit-records/visits.rules.ts'

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
