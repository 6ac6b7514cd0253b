import { recordPracticeAudit } from '#modules/coaching'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { assertVersion, conflict, roleRequired } from '#platform/errors'
import { deleteFilesNow } from '#platform/files'
import { emit } from '#platform/outbox'
import { pitchDeleted } from '../pitches.events.ts'
import { refreshAssignments } from '../prompts/assignments.queries.ts'
import { clearExemplar } from '../prompts/prompts.queries.ts'
import { deleteFeedback } from './feedback.queries.ts'
import { lockSubmissionWithAssignment } from './store-outcome.service.ts'
import { getAccess, getVisibleSubmission } from './submission-access.service.ts'
import type { SubmissionRow } from './submission-row.ts'
import { deleteSubmissionRow, updateSubmissionRow } from './submissions.queries.ts'
import { isPrivate, toAuditedRecord } from './submissions.rules.ts'

type DeleteInput = { clock: Clock; expectedVersion?: number }

/** A take that was submitted stays as a number without content, because it counts against `max_takes`. */
export async function deletePitchSubmission(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { clock, expectedVersion }: DeleteInput,
): Promise<void> {
  await getVisibleSubmission(tx, actor, id)
  const { submission, assignmentId } = await lockSubmissionWithAssignment(tx, id, { changesPrompt: true })
  const { isAuthor } = await getAccess(tx, actor, submission)
  assertVersion(submission, expectedVersion)
  assertDeletable(submission, { isAuthor, isManager: isManagerOrAdmin(actor.role) })
  await deleteRecordings(tx, { clock }, [submission])
  await clearExemplar(tx, id)
  if (submission.is_practice || submission.status === 'draft') await deleteSubmissionRow(tx, id)
  else await eraseContent(tx, id, clock.now())
  if (assignmentId) await refreshAssignments(tx, [assignmentId])
  const { user_id, prompt_id } = submission
  await recordPracticeAudit(tx, 'pitch_submission.deleted', toAuditedRecord(submission))
  if (!isPrivate(submission)) await emit(tx, pitchDeleted, submission, { user_id, prompt_id })
}

function assertDeletable(
  { is_practice, status }: SubmissionRow,
  { isAuthor, isManager }: { isAuthor: boolean; isManager: boolean },
): void {
  if (isManager) return
  if (!isAuthor) throw roleRequired('Only the author, managers and admins can delete a submission.')
  if (!is_practice && status !== 'draft' && status !== 'returned')
    throw conflict('already_submitted', 'Your take can be deleted only as a draft or after it was returned.')
}

async function eraseContent(tx: TenantTx, id: string, now: Date): Promise<void> {
  await deleteFeedback(tx, id)
  await updateSubmissionRow(tx, id, {
    deleted_at: now,
    title: null,
    file_id: null,
    transcript: null,
    segments: null,
    evaluation: null,
    evaluation_error: null,
    ai_score: null,
    human_score: null,
    final_score: null,
    passed: null,
    is_exemplar: false,
  })
}

export async function deleteRecordings(
  tx: TenantTx,
  { clock }: { clock: Clock },
  submissions: readonly Pick<SubmissionRow, 'file_id'>[],
): Promise<void> {
  const fileIds = submissions.flatMap(({ file_id }) => file_id ?? [])
  await deleteFilesNow(tx, { clock }, fileIds, { isAudited: false })
}
