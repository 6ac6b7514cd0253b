import { findOpportunityReferences } from '#modules/crm'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { sendRoomAlert } from '../alerts/alerts.service.ts'
import { settingsOf } from '../records/rooms.rules.ts'
import { listActiveRooms, listTenantsWithActiveRooms, markSilentAlert } from './analytics.queries.ts'
import { storeEngagement } from './engagement.service.ts'

type ActiveRoom = Awaited<ReturnType<typeof listActiveRooms>>[number]

/** Scores fall without visits, and owners are notified once until the next visit. */
export const reviewRoomsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('enablement.review_rooms', '17 4 * * *', {
    listTenants: listTenantsWithActiveRooms,
    async runForTenant({ inTenant, signal }) {
      let after = nilUuid
      for (;;) {
        const rooms = await inTenant((tx) => listActiveRooms(tx, after))
        for (const room of rooms) {
          signal.throwIfAborted()
          await inTenant((tx) => reviewRoom(tx, room, clock.now()))
        }
        if (!rooms.length) return
        after = rooms.at(-1)!.id
      }
    },
  })

async function reviewRoom(tx: TenantTx, room: ActiveRoom, now: Date): Promise<void> {
  if (room.engagement_score) await storeEngagement(tx, room.id, now)
  if (!isSilent(room, now) || !room.opportunity_id) return
  const deal = (await findOpportunityReferences(tx, [room.opportunity_id])).get(room.opportunity_id)
  if (deal?.kind !== 'open') return
  await markSilentAlert(tx, room.id, now)
  await sendRoomAlert(tx, room, { alert: 'silent' })
}

function isSilent({ last_external_visit_at, activated_at, silent_alert_at, settings }: ActiveRoom, now: Date): boolean {
  const since = last_external_visit_at ?? activated_at
  if (!since || daysLater(since, settingsOf(settings).silent_after_days) > now) return false
  return silent_alert_at === null || silent_alert_at < since
}
