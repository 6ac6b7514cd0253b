import { retryWhileBusy } from '#platform/db'
import { defineSchedule } from '#platform/jobs'
import { listMarkedDays, listMarkedTenants } from './rollups.queries.ts'
import { recountDays } from './rollups.service.ts'

const batchSize = 20

/** Every minute: the days on which something changed are counted anew. Until then they are counted whenever somebody asks. */
export const rebuildDirtyDays = defineSchedule(
  'crm.rebuild_dirty_days',
  '* * * * *',
  async ({ inSystem, inTenant, signal, log }) => {
    for (const tenantId of await inSystem(listMarkedTenants)) {
      try {
        const days = await inTenant(tenantId, listMarkedDays)
        for (let done = 0; done < days.length; done += batchSize) {
          signal.throwIfAborted()
          const batch = days.slice(done, done + batchSize)
          await retryWhileBusy(() => inTenant(tenantId, (tx) => recountDays(tx, batch)), signal)
        }
      } catch (err) {
        signal.throwIfAborted()
        // One workspace in trouble does not keep the others from being counted.
        log.error({ err, tenant_id: tenantId }, 'days were not counted anew')
      }
    }
  },
)
