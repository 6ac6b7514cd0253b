import { secondsLater } from '#platform/clock'
import { defineFrequentTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { storeEngagement } from './engagement.service.ts'
import {
  listChangedRooms,
  listTenantsToRecount,
  readFoldPosition,
  recountDailyStats,
  recountItemCounts,
  recountLinkCounts,
  storeFoldPosition,
} from './recount-visits.queries.ts'

/** Transactions that began before the last recount may have committed after it. */
const overlapSeconds = 120

/** Counts visits and views every minute, so that requests of visitors update no counters. */
export const recountRoomVisitsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('enablement.fold_room_visits', '* * * * *', {
    listTenants: (tx, since) => listTenantsToRecount(tx, secondsLater(since, -overlapSeconds)),
    async runForTenant({ inTenant, signal }) {
      const { since, until } = await inTenant(readFoldPosition)
      const rooms = await inTenant((tx) => listChangedRooms(tx, secondsLater(since, -overlapSeconds)))
      for (const { room_id, first_at } of rooms) {
        signal.throwIfAborted()
        await inTenant(async (tx) => {
          await storeEngagement(tx, room_id, clock.now())
          await recountDailyStats(tx, room_id, first_at)
          await recountLinkCounts(tx, room_id)
          await recountItemCounts(tx, room_id)
        })
      }
      await inTenant((tx) => storeFoldPosition(tx, until))
    },
  })
