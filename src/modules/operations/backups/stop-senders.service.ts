import { skipQueuedEmails } from '#modules/email'
import { stopRestoredCadences } from '#modules/marketing'
import { cancelOpenDistributions } from '#modules/surveys'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { emit } from '#platform/outbox'
import { tenantSendersStopped } from '../operations.events.ts'

/**
 * Stops everything in the rows of an archive that sends emails, in the transaction that inserts them. Emails may have been sent since the
 * archive was written, and the workspace that it was written from may still send them.
 */
export async function stopRestoredSenders(tx: TenantTx, now: Date): Promise<void> {
  const emails = await skipQueuedEmails(tx, 'restored')
  const { cadences, flows } = await stopRestoredCadences(tx, now)
  const distributions = await cancelOpenDistributions(tx)
  const stopped = { cadences, flows, distributions, emails }
  if (Object.values(stopped).some((count) => count > 0))
    await emit(tx, tenantSendersStopped, { id: tenantIdOf(tx) }, stopped)
}
