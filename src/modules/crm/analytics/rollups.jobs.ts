import { retryOnContention } from '#platform/db'
import { defineSchedule } from '#platform/jobs'
import { listDirtyDays, listTenantsWithDirtyDays } from './rollups.queries.ts'
import { rebuildRollups } from './rollups.service.ts'

const batchSize = 20

/** Rebuilds dirty days every minute; until then, queries count them live. */
export const rebuildRollupsSchedule = defineSchedule(
  'crm.rebuild_dirty_days',
  '* * * * *',
  async ({ inSystem, inTenant, signal, log }) => {
    for (const tenantId of await inSystem(listTenantsWithDirtyDays)) {
      try {
        const days = await inTenant(tenantId, listDirtyDays)
        for (let done = 0; done < days.length; done += batchSize) {
          signal.throwIfAborted()
          const batch = days.slice(done, done + batchSize)
          await retryOnContention(() => inTenant(tenantId, (tx) => rebuildRollups(tx, batch)), signal)
        }
      } catch (err) {
        signal.throwIfAborted()
        log.error({ err, tenant_id: tenantId }, 'rollup rebuild failed')
      }
    }
  },
)
