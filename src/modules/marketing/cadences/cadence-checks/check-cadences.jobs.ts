import { daysLater } from '#platform/clock'
import { listTenantsAsRetention, listTenantsWithRows } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { correctCadenceCounts, listCadencesToCount } from './cadence-counts.queries.ts'

const batchSize = 500
/** Longer than the time between two runs. */
const checkedDays = 2

/** Counts change with their rows, except when persons are purged. One transaction per cadence. */
export const checkCadencesSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('marketing.check_cadences', '49 2 * * *', {
    listTenants: (system) => listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'marketing.cadences')),
    async runForTenant({ inTenant, signal, log }) {
      const since = daysLater(clock.now(), -checkedDays)
      let corrected = 0
      for (let after = nilUuid, isComplete = false; !isComplete; ) {
        const from = after
        const ids = await inTenant((tx) => listCadencesToCount(tx, since, { after: from, limit: batchSize }))
        for (const id of ids) {
          signal.throwIfAborted()
          corrected += await inTenant((tx) => correctCadenceCounts(tx, [id]))
        }
        isComplete = ids.length < batchSize
        after = ids.at(-1) ?? after
      }
      if (corrected) log.info({ corrected }, 'counts of cadences were corrected')
    },
  })
