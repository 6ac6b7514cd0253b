import { recordPracticeAudit } from '#modules/coaching'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { pitchSubmitted } from '../pitches.events.ts'
import { notifyReviewers } from './submission-notifications.ts'
import type { SubmissionRow } from './submission-row.ts'
import { isPrivate, toAuditedChange } from './submissions.rules.ts'

/** Records that a pitch has a recording or a transcript now, and notifies its reviewers. */
export async function recordSubmitted(
  tx: TenantTx,
  before: SubmissionRow | null,
  submitted: SubmissionRow,
): Promise<void> {
  const { user_id, prompt_id, is_practice } = submitted
  await recordPracticeAudit(tx, 'pitch_submission.submitted', toAuditedChange(before, submitted))
  if (!isPrivate(submitted)) await emit(tx, pitchSubmitted, submitted, { user_id, prompt_id, is_practice })
  await notifyReviewers(tx, submitted)
}
