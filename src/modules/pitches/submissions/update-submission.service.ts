import { recordPracticeAudit } from '#modules/coaching'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, invalid, roleRequired } from '#platform/errors'
import { emit } from '#platform/outbox'
import { pitchSubmitted, pitchUpdated } from '../pitches.events.ts'
import { clearExemplar } from '../prompts/prompts.queries.ts'
import { type PitchContext, presentSubmission } from './present-submission.service.ts'
import { lockSubmissionWithAssignment } from './store-outcome.service.ts'
import { getAccess, getVisibleSubmission, type SubmissionAccess } from './submission-access.service.ts'
import { notifyReviewers } from './submission-notifications.ts'
import type { SubmissionRow } from './submission-row.ts'
import { updateSubmissionRow } from './submissions.queries.ts'
import { assertSubmitted, isPrivate, toAuditedChange } from './submissions.rules.ts'
import type { Submission, SubmissionChanges } from './submissions.schemas.ts'

type UpdateInput = { changes: SubmissionChanges; expectedVersion?: number }

export async function updatePitchSubmission(
  tx: TenantTx,
  context: PitchContext,
  actor: UserActor,
  id: string,
  { changes: requested, expectedVersion }: UpdateInput,
): Promise<Submission> {
  await getVisibleSubmission(tx, actor, id)
  const { exemplar_consent, review_requested, is_exemplar } = requested
  const changesPrompt = [exemplar_consent, review_requested, is_exemplar].includes(false)
  const { submission } = await lockSubmissionWithAssignment(tx, id, { changesPrompt })
  const access = await getAccess(tx, actor, submission)
  assertAllowedFields(requested, access)
  assertVersion(submission, expectedVersion)
  const isWithdrawn = exemplar_consent === false || (submission.is_practice && review_requested === false)
  const changes = changedFields(submission, { ...requested, ...(isWithdrawn && { is_exemplar: false }) })
  assertPossible(submission, changes)
  if (!Object.keys(changes).length) return await presentSubmission(tx, context, actor, submission, access)

  const updated = await updateSubmissionRow(tx, id, changes)
  if (changes.is_exemplar === false) await clearExemplar(tx, id)
  await recordPracticeAudit(tx, 'pitch_submission.updated', toAuditedChange(submission, updated))
  const { user_id, prompt_id } = updated
  const changed = Object.keys(changes)
  if (!isPrivate(submission) || !isPrivate(updated))
    await emit(tx, pitchUpdated, updated, { user_id, prompt_id, changed })
  if (changes.review_requested && updated.status === 'submitted') await recordSubmitted(tx, submission, updated)
  return await presentSubmission(tx, context, actor, updated, access)
}

const fieldsOfAuthor = ['title', 'review_requested', 'exemplar_consent'] as const

function assertAllowedFields(changes: SubmissionChanges, { isAuthor, isCoach }: SubmissionAccess): void {
  const foreign = fieldsOfAuthor.find((field) => changes[field] !== undefined)
  if (foreign && !isAuthor) throw roleRequired(`Only the author can set \`${foreign}\`.`)
  if (changes.is_exemplar !== undefined && !isCoach)
    throw roleRequired('Only a coach of the author can set `is_exemplar`.')
}

function assertPossible(submission: SubmissionRow, changes: Partial<SubmissionChanges>): void {
  if (changes.review_requested !== undefined && !submission.is_practice)
    throw invalid('body', '/review_requested', 'not_allowed', '`review_requested` can be set for practice only.')
  if (!changes.is_exemplar) return
  assertSubmitted(submission)
  if (!submission.exemplar_consent)
    throw conflict('consent_required', 'The author must set `exemplar_consent` before the pitch can be an exemplar.')
}

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
