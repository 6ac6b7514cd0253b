import type { TenantTx } from '#platform/db'
import { findVisitor } from '../room-visits/visitors.queries.ts'
import { readEarlierVisits, type VisitRow } from '../room-visits/visits.queries.ts'
import type { RoomRow } from '../rooms/rooms.queries.ts'
import { sendRoomAlert } from './room-alerts.service.ts'
import { visitAlertOf } from './visit-alerts.rules.ts'

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
