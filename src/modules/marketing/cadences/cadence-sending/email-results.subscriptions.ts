import { emailBounced, emailFailed, emailReplied, emailSent, emailSkipped, emailUncertain } from '#events/email'
import type { TenantTx } from '#platform/db'
import { subscribe } from '#platform/outbox'
import { cadenceEmailKind } from '../cadence-runs/cadence-email-kind.ts'
import { storeBounce } from './bounces.service.ts'
import { logSentEmails } from './log-emails.service.ts'
import { storeReply } from './replies.service.ts'
import { type EmailResult, storeSentEmails, storeSkippedEmails, storeUnsentEmails } from './store-results.service.ts'

type StoreResults = (tx: TenantTx, results: readonly EmailResult[], now: Date) => Promise<void>

/** After the commit, so that an error in a cadence cannot prevent that the result of a sent email is stored. */
const onEmails = (event: typeof emailSent, consumer: string, store: StoreResults) =>
  subscribe(event, `marketing.${consumer}`, async (tx, { data: { kind, messages }, occurred_at }) => {
    if (kind === cadenceEmailKind) await store(tx, messages, occurred_at)
  })

const onBounce = subscribe(
  emailBounced,
  'marketing.store_bounced_runs',
  async (tx, { subject, data: { kind, bounce_type }, occurred_at }) => {
    if (kind === cadenceEmailKind && bounce_type === 'hard') await storeBounce(tx, subject.id, occurred_at)
  },
)

/** In the transaction, so that no step runs after a reply is known. A reply to an email of another kind counts, too. */
const onReply = subscribe(
  emailReplied,
  'marketing.store_replies',
  (tx, { subject, data: { auto_submitted }, occurred_at }) => storeReply(tx, subject.id, auto_submitted, occurred_at),
  { inTransaction: true },
)

export const emailResultSubscriptions = [
  onEmails(emailSent, 'store_sent_runs', storeSentEmails),
  onEmails(emailSent, 'log_cadence_emails', logSentEmails),
  onEmails(emailSkipped, 'store_skipped_runs', storeSkippedEmails),
  onEmails(emailFailed, 'store_failed_runs', (tx, results, now) => storeUnsentEmails(tx, results, 'failed', now)),
  onEmails(emailUncertain, 'store_uncertain_runs', (tx, results, now) =>
    storeUnsentEmails(tx, results, 'uncertain', now),
  ),
  onBounce,
  onReply,
]
