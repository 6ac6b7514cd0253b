import { recordPracticeAudit } from '#modules/coaching'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { forbidden, roleRequired } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { pitchReviewAdded } from '../pitches.events.ts'
import { upsertReview } from '../submissions/feedback.queries.ts'
import type { PitchReview } from '../submissions/feedback.schemas.ts'
import { presentReviews } from '../submissions/present-submission.service.ts'
import { lockSubmissionWithAssignment, storeOutcome } from '../submissions/store-outcome.service.ts'
import { getAccess, getVisibleSubmission } from '../submissions/submission-access.service.ts'
import { assertSubmitted, toAuditedChange } from '../submissions/submissions.rules.ts'
import { completeScores, scoreReview } from './reviews.rules.ts'
import type { NewReview } from './reviews.schemas.ts'

/** A second review of the same reviewer replaces the first. */
export async function reviewPitchSubmission(
  tx: TenantTx,
  actor: UserActor,
  submissionId: string,
  { scores: given, decision, comment = null }: NewReview,
): Promise<PitchReview> {
  await getVisibleSubmission(tx, actor, submissionId)
  const locked = await lockSubmissionWithAssignment(tx, submissionId)
  const { submission } = locked
  const { isAuthor, isReviewer } = await getAccess(tx, actor, submission)
  if (isAuthor) throw forbidden('self_review', 'You cannot review your own pitch.')
  if (!isReviewer) throw roleRequired('Only reviewers of the prompt can review the pitch.')
  assertSubmitted(submission)
  const { criteria } = submission.prompt_snapshot
  const scores = completeScores(criteria, given)
  const review = await upsertReview(tx, {
    id: newId(),
    submission_id: submissionId,
    reviewer_id: actor.userId,
    scores: JSON.stringify(scores),
    score: scoreReview(criteria, scores),
    decision,
    comment,
  })
  const { user_id, prompt_id } = submission
  await emit(tx, pitchReviewAdded, submission, { user_id, prompt_id, reviewer_id: actor.userId, decision })
  const outcome = await storeOutcome(tx, locked)
  await recordPracticeAudit(tx, 'pitch_submission.reviewed', toAuditedChange(submission, outcome))
  const [presented] = await presentReviews(tx, [review])
  return presented!
}
