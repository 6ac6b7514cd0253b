import { recordPracticeAudit } from '#modules/coaching'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { pitchCommented } from '../pitches.events.ts'
import { type CommentRow, countComments, findComment, insertComment } from '../submissions/feedback.queries.ts'
import type { PitchComment } from '../submissions/feedback.schemas.ts'
import { durationOf, findVideo, presentComments } from '../submissions/present-submission.service.ts'
import { assertInvolved, getAccess, getVisibleSubmission } from '../submissions/submission-access.service.ts'
import { notifyCommented } from '../submissions/submission-notifications.ts'
import type { SubmissionRow } from '../submissions/submission-row.ts'
import { lockSubmissionShared } from '../submissions/submissions.queries.ts'
import { isPrivate, toAuditedRecord, toNumber } from '../submissions/submissions.rules.ts'
import type { NewComment } from './comments.schemas.ts'

const maxComments = 500

export async function createPitchComment(
  tx: TenantTx,
  actor: UserActor,
  submissionId: string,
  { body, at_seconds, parent_id }: NewComment,
): Promise<PitchComment> {
  await getVisibleSubmission(tx, actor, submissionId)
  const submission = await lockSubmissionShared(tx, submissionId)
  assertInvolved(await getAccess(tx, actor, submission), 'comment on a pitch')
  const parent = parent_id === undefined ? undefined : await getParent(tx, submissionId, parent_id)
  await assertInRecording(tx, submission, at_seconds ?? null)
  if ((await countComments(tx, submissionId)) >= maxComments)
    throw conflict('limit_reached', `A pitch can have ${maxComments} comments.`)
  const comment = await insertComment(tx, {
    id: newId(),
    submission_id: submissionId,
    author_id: actor.userId,
    parent_id: parent_id ?? null,
    at_seconds: at_seconds === undefined ? toNumber(parent?.at_seconds ?? null) : at_seconds,
    body,
  })
  const { user_id, prompt_id } = submission
  await recordPracticeAudit(tx, 'pitch_submission.commented', toAuditedRecord(submission))
  const event = { user_id, prompt_id, comment_id: comment.id, author_id: actor.userId }
  if (!isPrivate(submission)) await emit(tx, pitchCommented, submission, event)
  await notifyCommented(tx, submission, { authorId: actor.userId, parentAuthorId: parent?.author_id ?? null })
  const [presented] = await presentComments(tx, [comment])
  return presented!
}

async function getParent(tx: TenantTx, submissionId: string, id: string): Promise<CommentRow> {
  const parent = await findComment(tx, id)
  if (parent?.submission_id !== submissionId) throw unknownReference('/parent_id', 'comment of the submission')
  return parent
}

async function assertInRecording(tx: TenantTx, submission: SubmissionRow, atSeconds: number | null): Promise<void> {
  if (atSeconds === null) return
  const duration = durationOf(submission, await findVideo(tx, submission))
  if (duration !== null && atSeconds > duration)
    throw invalid(
      'body',
      '/at_seconds',
      'maximum',
      `\`at_seconds\` must be at most ${duration}, the end of the recording.`,
    )
}
