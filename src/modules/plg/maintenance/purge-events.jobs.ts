import { readSettings } from '#modules/identity'
import { daysLater } from '#platform/clock'
import { dropPartitions, repeatUntilEmpty, retryOnContention, type TenantTx } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { setConsumerOptIn } from '#platform/outbox'
import { followRecordsConsumer } from '../links/follow-records.subscriptions.ts'
import { listTenantsWithUsage } from './purge-events.queries.ts'
import { purgeEvents } from './purge-events.service.ts'

const batchSize = 10_000
/** Older partitions are not created ahead, so an empty one can be dropped. */
const droppedAfterDays = 26 * 31

/** Deletes events after the retention of the workspace; the numbers stay. Partitions without events are dropped. */
export const purgeEventsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('plg.purge_events', '31 3 * * *', {
    listTenants: listTenantsWithUsage,
    async runForTenant({ inTenant, signal, log }) {
      // An imported workspace has usage data, but has not opted in.
      await inTenant((tx) => setConsumerOptIn(tx, followRecordsConsumer, true))
      const purgeBatch = async (tx: TenantTx) => {
        const { plg_event_days } = await readSettings(tx, 'retention')
        return await purgeEvents(tx, { before: daysLater(clock.now(), -plg_event_days), now: clock.now() }, batchSize)
      }
      const purged = await repeatUntilEmpty(() => retryOnContention(() => inTenant(purgeBatch), signal), signal)
      if (purged) log.info({ purged }, 'purged usage events')
    },
    async run(context) {
      await dropPartitions(context, 'plg.events', daysLater(clock.now(), -droppedAfterDays))
    },
  })
