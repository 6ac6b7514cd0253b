import { listTenantIds } from '#modules/identity'
import { type Clock, daysLater } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { restorableDays } from './delete-lead.service.ts'
import { purgeSomeLeads } from './purge-leads.queries.ts'

/** Every night: what was deleted a month ago goes for good. */
export const purgingDeletedLeads = ({ clock }: { clock: Clock }) =>
  defineSchedule('crm.purge_deleted_leads', '23 3 * * *', async ({ inSystem, inTenant, signal, log }) => {
    const before = daysLater(clock.now(), -restorableDays)
    let purged = 0
    for (const tenantId of await inSystem(listTenantIds)) {
      for (let some = 1; some > 0; purged += some) {
        signal.throwIfAborted()
        some = await inTenant(tenantId, (tx) => purgeSomeLeads(tx, before))
      }
    }
    if (purged) log.info({ purged }, 'deleted leads were purged')
  })
