import { type Clock, daysLater } from '#platform/clock'
import { retryOnContention } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import { restorableDays } from '../fields/record.rules.ts'
import { listTenantsWithDeleted, purgeableRecords, purgeDeletedBatch } from './purge-deleted.queries.ts'

export const purgeDeletedSchedule = ({ clock }: { clock: Clock }) =>
  defineTenantSchedule('crm.purge_deleted', '13 3 * * *', {
    listTenants: (tx) => listTenantsWithDeleted(tx, daysLater(clock.now(), -restorableDays)),
    async runForTenant({ inTenant, signal, log }) {
      const before = daysLater(clock.now(), -restorableDays)
      for (const record of purgeableRecords) {
        let purged = 0
        for (let batch = 1; batch > 0; purged += batch) {
          signal.throwIfAborted()
          batch = await retryOnContention(() => inTenant((tx) => purgeDeletedBatch(tx, record, before)), signal)
        }
        if (purged) log.info({ type: record.type, purged }, 'purged deleted records')
      }
    },
  })
