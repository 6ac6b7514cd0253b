import { secondsLater } from '#platform/clock'
import { defineFrequentTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { storeEngagement } from './engagement.service.ts'
import {
  foldDailyStats,
  foldItemCounts,
  foldLinkCounts,
  listChangedRooms,
  listTenantsToFold,
  readFoldPosition,
  storeFoldPosition,
} from './fold-visits.queries.ts'

/** Transactions that began before the last fold may have committed after it. */
const overlapSeconds = 120

/** Counts visits and views every minute, so that requests of visitors update no counters. */
export const foldRoomVisitsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineFrequentTenantSchedule('enablement.fold_room_visits', '* * * * *', {
    listTenants: (tx, since) => listTenantsToFold(tx, secondsLater(since, -overlapSeconds)),
    async runForTenant({ inTenant, signal }) {
      const { since, until } = await inTenant(readFoldPosition)
      const rooms = await inTenant((tx) => listChangedRooms(tx, secondsLater(since, -overlapSeconds)))
      for (const { room_id, first_at } of rooms) {
        signal.throwIfAborted()
        await inTenant(async (tx) => {
          await storeEngagement(tx, room_id, clock.now())
          await foldDailyStats(tx, room_id, first_at)
          await foldLinkCounts(tx, room_id)
          await foldItemCounts(tx, room_id)
        })
      }
      await inTenant((tx) => storeFoldPosition(tx, until))
    },
  })
