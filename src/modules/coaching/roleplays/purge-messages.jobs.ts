import { daysLater } from '#platform/clock'
import { repeatUntilEmpty, retryOnContention, type TenantTx } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { readTranscriptSettings } from '../settings/coaching-settings.ts'
import { deleteOldMessages, listTenantsWithMessages } from './roleplay.queries.ts'

const batchSize = 5_000
const minRetentionDays = 1

/** Deletes transcripts. Scores and the quotes of scorecards stay. */
export const purgeMessagesSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('enablement.purge_roleplay_messages', '33 3 * * *', {
    listTenants: (tx) => listTenantsWithMessages(tx, daysLater(clock.now(), -minRetentionDays)),
    async runForTenant({ inTenant, signal, log }) {
      const purgeBatch = () => retryOnContention(() => inTenant((tx) => purgeMessages(tx, clock.now())), signal)
      const purged = await repeatUntilEmpty(purgeBatch, signal)
      if (purged) log.info({ purged }, 'purged messages of roleplays')
    },
  })

async function purgeMessages(tx: TenantTx, now: Date): Promise<number> {
  const { transcript_retention_days: days } = await readTranscriptSettings(tx)
  return await deleteOldMessages(tx, daysLater(now, -days), batchSize)
}
