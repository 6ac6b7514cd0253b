import { retryOnContention } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import { listDirtyDays, listTenantsWithDirtyDays } from './rollups.queries.ts'
import { rebuildRollups } from './rollups.service.ts'

const batchSize = 20

/** Rebuilds dirty days every minute; until then, queries count them live. */
export const rebuildRollupsSchedule = defineTenantSchedule('crm.rebuild_dirty_days', '* * * * *', {
  listTenants: listTenantsWithDirtyDays,
  async runForTenant({ inTenant, signal }) {
    const days = await inTenant(listDirtyDays)
    for (let done = 0; done < days.length; done += batchSize) {
      signal.throwIfAborted()
      const batch = days.slice(done, done + batchSize)
      await retryOnContention(() => inTenant((tx) => rebuildRollups(tx, batch)), signal)
    }
  },
})
