import type { Clock } from '#platform/clock'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, defineTenantSchedule } from '#platform/jobs'
import {
  listTenantsToRecount,
  listTenantsWithViews,
  lockFoldState,
  recountDailyStats,
  recountItemStats,
  recountViewers,
  updateFoldState,
} from './recount-views.queries.ts'

const toDay = (now: Date) => now.toISOString().slice(0, 10)

export const recountViewsSchedule = ({ clock }: { clock: Clock }) =>
  defineFrequentTenantSchedule('enablement.fold_views', '* * * * *', {
    listTenants: listTenantsToRecount,
    async runForTenant({ inTenant, signal }) {
      await retryOnContention(() => inTenant((tx) => recountViews(tx, clock.now())), signal)
    },
  })

export async function recountViews(tx: TenantTx, now: Date): Promise<void> {
  const since = await lockFoldState(tx)
  await recountDailyStats(tx, since)
  await recountViewers(tx, since)
  await recountItemStats(tx, { since, today: toDay(now) })
  await updateFoldState(tx)
}

/** Heat and the windows of 28 days change every day, also without views. */
export const refreshContentStatsSchedule = ({ clock }: { clock: Clock }) =>
  defineTenantSchedule('enablement.refresh_content_stats', '23 0 * * *', {
    listTenants: listTenantsWithViews,
    async runForTenant({ inTenant, signal }) {
      const refresh = async (tx: TenantTx) => {
        // Imported views are older than the last run of the recount, which does not find them.
        await recountViews(tx, clock.now())
        await recountItemStats(tx, { since: null, today: toDay(clock.now()) })
      }
      await retryOnContention(() => inTenant(refresh), signal)
    },
  })
