import { listTenantIds } from '#modules/identity'
import { type Clock, daysLater } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { restorableDays } from '../leads/delete-lead.service.ts'
import { purgeSomeAccounts } from './purge-accounts.queries.ts'

/** Every night: what was deleted a month ago goes for good. */
export const purgingDeletedAccounts = ({ clock }: { clock: Clock }) =>
  defineSchedule('crm.purge_deleted_accounts', '43 3 * * *', async ({ inSystem, inTenant, signal, log }) => {
    const before = daysLater(clock.now(), -restorableDays)
    let purged = 0
    for (const tenantId of await inSystem(listTenantIds)) {
      for (let some = 1; some > 0; purged += some) {
        signal.throwIfAborted()
        some = await inTenant(tenantId, (tx) => purgeSomeAccounts(tx, before))
      }
    }
    if (purged) log.info({ purged }, 'deleted accounts were purged')
  })
