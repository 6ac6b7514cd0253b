import { listTenantIds } from '#modules/identity'
import { type Clock, daysLater } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { kinds, purgeSome } from './purge.queries.ts'
import { restorableDays } from './restorable.rules.ts'

/** Every night: what was deleted a month ago goes for good. */
export const purgingDeleted = ({ clock }: { clock: Clock }) =>
  defineSchedule('crm.purge_deleted', '13 3 * * *', async ({ inSystem, inTenant, signal, log }) => {
    const before = daysLater(clock.now(), -restorableDays)
    for (const tenantId of await inSystem(listTenantIds)) {
      for (const kind of kinds) {
        let purged = 0
        for (let some = 1; some > 0; purged += some) {
          signal.throwIfAborted()
          some = await inTenant(tenantId, (tx) => purgeSome(tx, kind, before))
        }
        if (purged) log.info({ tenant_id: tenantId, type: kind.type, purged }, 'deleted records were purged')
      }
    }
  })
