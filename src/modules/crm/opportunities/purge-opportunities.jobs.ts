import { listTenantIds } from '#modules/identity'
import { type Clock, daysLater } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { restorableDays } from '../leads/delete-lead.service.ts'
import { purgeSomeOpportunities } from './purge-opportunities.queries.ts'

/** Every night: what was deleted a month ago goes for good. Ahead of the accounts and contacts the deals were made with. */
export const purgingDeletedOpportunities = ({ clock }: { clock: Clock }) =>
  defineSchedule('crm.purge_deleted_opportunities', '13 3 * * *', async ({ inSystem, inTenant, signal, log }) => {
    const before = daysLater(clock.now(), -restorableDays)
    let purged = 0
    for (const tenantId of await inSystem(listTenantIds)) {
      for (let some = 1; some > 0; purged += some) {
        signal.throwIfAborted()
        some = await inTenant(tenantId, (tx) => purgeSomeOpportunities(tx, before))
      }
    }
    if (purged) log.info({ purged }, 'deleted deals were purged')
  })
