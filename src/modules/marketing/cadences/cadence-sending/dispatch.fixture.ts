import { newId } from '#platform/ids'
import type { startTestApp } from '#testing'
import { claimEmails, postponeEmails } from '../../../email/messages/claim-emails.service.ts'
import { storeSendResults } from '../../../email/messages/email-results.service.ts'
import type { cadenceActions } from './cadence-runs.fixture.ts'
import { storeSentEmails, storeSkippedEmails } from './store-results.service.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type DispatchedEmail = { id: string; address: string; subject: string }

/** Does what the dispatcher and its subscribers do, with a mail server that accepts every email or none. Returns the sent emails. */
export async function dispatchQueued(
  { services, clock }: TestApp,
  { inAcme, rowsOf }: ReturnType<typeof cadenceActions>,
  { isServerUp = true }: { isServerUp?: boolean } = {},
): Promise<DispatchedEmail[]> {
  const now = clock.now()
  const claimId = newId()
  const { emails, postponed } = await inAcme((tx) => claimEmails(tx, services, { claimId, limit: 50 }))
  const results = emails.map(({ id, mail }) => ({
    id,
    address: mail.to.address,
    ...(isServerUp ? { state: 'sent' as const, sent_at: now } : { state: 'waiting' as const }),
  }))
  await inAcme((tx) => storeSendResults(tx, { id: claimId, now }, results))
  await inAcme((tx) => postponeEmails(tx, services, postponed, claimId))
  const sent = isServerUp ? emails : []
  await inAcme((tx) =>
    storeSentEmails(
      tx,
      sent.map(({ id }) => ({ id, reason: null })),
      now,
    ),
  )
  const skipped = await rowsOf(
    `select id, skip_reason as reason from crm.email_messages where tenant_id = $1 and claim_id = $2 and state = 'skipped'`,
    [claimId],
  )
  await inAcme((tx) => storeSkippedEmails(tx, skipped as { id: string; reason: string }[], now))
  return sent.map(({ id, mail }) => ({ id, address: mail.to.address, subject: mail.subject }))
}
