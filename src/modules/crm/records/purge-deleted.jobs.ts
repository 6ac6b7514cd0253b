import { listTenantIds } from '#modules/identity'
import { type Clock, daysLater } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { purgeableRecords, purgeDeletedBatch } from './purge-deleted.queries.ts'
import { restorableDays } from './restorable.rules.ts'

export const purgeDeletedSchedule = ({ clock }: { clock: Clock }) =>
  defineSchedule('crm.purge_deleted', '13 3 * * *', async ({ inSystem, inTenant, signal, log }) => {
    const before = daysLater(clock.now(), -restorableDays)
    for (const tenantId of await inSystem(listTenantIds)) {
      for (const record of purgeableRecords) {
        let purged = 0
        for (let batch = 1; batch > 0; purged += batch) {
          signal.throwIfAborted()
          batch = await inTenant(tenantId, (tx) => purgeDeletedBatch(tx, record, before))
        }
        if (purged) log.info({ tenant_id: tenantId, type: record.type, purged }, 'purged deleted records')
      }
    }
  })
