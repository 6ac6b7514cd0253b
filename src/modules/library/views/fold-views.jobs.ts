import type { Clock } from '#platform/clock'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, defineTenantSchedule } from '#platform/jobs'
import {
  foldDailyStats,
  foldItemStats,
  foldViewers,
  listTenantsToFold,
  listTenantsWithViews,
  lockFoldState,
  updateFoldState,
} from './fold-views.queries.ts'

const toDay = (now: Date) => now.toISOString().slice(0, 10)

export const foldViewsSchedule = ({ clock }: { clock: Clock }) =>
  defineFrequentTenantSchedule('enablement.fold_views', '* * * * *', {
    listTenants: listTenantsToFold,
    async runForTenant({ inTenant, signal }) {
      await retryOnContention(() => inTenant((tx) => foldViews(tx, clock.now())), signal)
    },
  })

export async function foldViews(tx: TenantTx, now: Date): Promise<void> {
  const since = await lockFoldState(tx)
  await foldDailyStats(tx, since)
  await foldViewers(tx, since)
  await foldItemStats(tx, { since, today: toDay(now) })
  await updateFoldState(tx)
}

/** Heat and the windows of 28 days change every day, also without views. */
export const refreshContentStatsSchedule = ({ clock }: { clock: Clock }) =>
  defineTenantSchedule('enablement.refresh_content_stats', '23 0 * * *', {
    listTenants: listTenantsWithViews,
    async runForTenant({ inTenant, signal }) {
      const refresh = async (tx: TenantTx) => {
        // Imported views are older than the last run of the fold, which does not find them.
        await foldViews(tx, clock.now())
        await foldItemStats(tx, { since: null, today: toDay(clock.now()) })
      }
      await retryOnContention(() => inTenant(refresh), signal)
    },
  })
