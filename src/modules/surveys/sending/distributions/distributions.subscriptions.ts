import { emailBounced, emailComplained, emailFailed, emailSent, emailSkipped, emailUncertain } from '#events/email'
import type { TenantTx } from '#platform/db'
import { subscribe, subscribeInTransaction } from '#platform/outbox'
import { taskCancelled, taskFailed } from '#platform/tasks'
import { endDistribution } from './cancel-distribution.service.ts'
import { distributeTask } from './distribution-jobs.ts'
import { findDistributionIdByTask } from './distributions.queries.ts'
import { type EmailOutcome, isSurveyEmail, toInvitationResult } from './email-results.rules.ts'
import { storeEmailResults } from './email-results.service.ts'

type EmailRef = { id: string; reason: string | null }

async function storeResults(
  tx: TenantTx,
  kind: string,
  outcome: EmailOutcome,
  refs: readonly EmailRef[],
  now: Date,
): Promise<void> {
  if (!isSurveyEmail(kind)) return
  const results = refs.flatMap(({ id, reason }) => {
    const result = toInvitationResult(kind, outcome, reason)
    return result ? [{ id, ...result }] : []
  })
  await storeEmailResults(tx, results, now)
}

const onEmails = (event: typeof emailSent, outcome: EmailOutcome) =>
  subscribe(
    event,
    `surveys.store_${outcome}_emails`,
    (tx, { data: { kind, messages }, occurred_at }) => {
      const refs = messages.map(({ ref_id, reason }) => ({ id: ref_id, reason }))
      return storeResults(tx, kind, outcome, refs, occurred_at)
    },
    { inTransaction: true },
  )

const onBounced = subscribeInTransaction(emailBounced, 'surveys.store_bounced_emails', async (tx, events) => {
  const hard = events.filter(({ data }) => data.bounce_type === 'hard')
  for (const [kind, ofKind] of Map.groupBy(hard, ({ data }) => data.kind)) {
    const refs = ofKind.map(({ data }) => ({ id: data.ref_id, reason: null }))
    await storeResults(tx, kind, 'bounced', refs, ofKind[0]!.occurred_at)
  }
})

const onComplained = subscribe(
  emailComplained,
  'surveys.store_complaints',
  (tx, { data: { kind, ref_id }, occurred_at }) =>
    storeResults(tx, kind, 'complained', [{ id: ref_id, reason: null }], occurred_at),
  { inTransaction: true },
)

/** Recipients whom a failed task has invited keep their invitations; those of a cancelled one lose them if no email was sent. */
const onTaskEnded = subscribe(
  [taskFailed, taskCancelled],
  'surveys.end_distribution',
  async (tx, { type, subject, data: { kind, resource_id } }) => {
    if (kind !== distributeTask.kind || resource_id === null) return
    const id = await findDistributionIdByTask(tx, resource_id, subject.id)
    if (id) await endDistribution(tx, id, type === taskFailed.type ? 'failed' : 'cancelled')
  },
)

export const distributionSubscriptions = [
  onEmails(emailSent, 'sent'),
  onEmails(emailSkipped, 'skipped'),
  onEmails(emailFailed, 'failed'),
  onEmails(emailUncertain, 'uncertain'),
  onBounced,
  onComplained,
  onTaskEnded,
]
