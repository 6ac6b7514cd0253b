import type { TenantTx } from '#platform/db'
import { listDistributionIds, lockInvitations } from '../invitations/invitations.queries.ts'
import { type DistributionRow, lockDistributions, updateDistributionRow } from './distributions.queries.ts'
import {
  addSent,
  type EmailedResult,
  hasPendingInvitations,
  type StoredResult,
  updateInvitationResults,
} from './email-results.queries.ts'

/** Stores what happened to emails: on their invitations, in the report of the distribution and in the counters of the survey. */
export async function storeEmailResults(tx: TenantTx, results: readonly EmailedResult[], now: Date): Promise<void> {
  if (!results.length) return
  const ids = results.map(({ id }) => id)
  const distributions = await lockDistributions(tx, await listDistributionIds(tx, ids))
  await lockInvitations(tx, ids)
  const stored = await updateInvitationResults(tx, results, now)
  const bySurvey = Map.groupBy(stored, ({ survey_id }) => survey_id)
  for (const [surveyId, ofSurvey] of [...bySurvey].sort(([one], [other]) => (one < other ? -1 : 1)))
    await addSent(tx, surveyId, countsOf(ofSurvey))
  for (const distribution of distributions) {
    const own = stored.filter(({ distribution_id }) => distribution_id === distribution.id)
    await reportResults(tx, distribution, own)
  }
}

const countChangedTo = (stored: readonly StoredResult[], status: string): number =>
  stored.filter((result) => result.status === status && result.former_status !== status).length

const countsOf = (stored: readonly StoredResult[]) => ({
  sent: stored.filter(({ was_sent }) => was_sent).length,
  bounced: countChangedTo(stored, 'bounced'),
})

async function reportResults(
  tx: TenantTx,
  distribution: DistributionRow,
  stored: readonly StoredResult[],
): Promise<void> {
  const { sent, bounced } = countsOf(stored)
  await updateDistributionRow(tx, distribution.id, {
    sent: distribution.sent + sent,
    bounced: distribution.bounced + bounced,
    failed: distribution.failed + countChangedTo(stored, 'failed'),
    unsubscribed: distribution.unsubscribed + countChangedTo(stored, 'unsubscribed'),
    status: await nextStatus(tx, distribution),
  })
}

/** A distribution is sent when all its recipients are known and none of them waits for an email. */
async function nextStatus(tx: TenantTx, { id, status, resolved_at }: DistributionRow): Promise<string> {
  if (status !== 'scheduled' && status !== 'sending') return status
  return resolved_at !== null && !(await hasPendingInvitations(tx, id)) ? 'sent' : 'sending'
}
