import { recordPracticeAudit } from '#modules/coaching'
import { findFileReader } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { actorOf, type TenantTx } from '#platform/db'
import { assertVersion, gone, invalid, notFound, unauthenticated } from '#platform/errors'
import type { FileRow } from '#platform/files'
import type { FileTicket } from '#platform/http'
import { emitMany } from '#platform/outbox'
import { pitchVideoDeleted } from '../pitches.events.ts'
import { deleteRecordings } from '../submissions/delete-submission.service.ts'
import { type PitchContext, presentSubmission } from '../submissions/present-submission.service.ts'
import { assertAuthor, getVisibleSubmission } from '../submissions/submission-access.service.ts'
import { lockSubmission, updateSubmissionRow } from '../submissions/submissions.queries.ts'
import { assertDraft, isPrivate, toAuditedRecord } from '../submissions/submissions.rules.ts'
import type { Submission } from '../submissions/submissions.schemas.ts'
import { recordSubmitted } from '../submissions/update-submission.service.ts'
import { lockSubmissionsWithVideo, markVideosDeleted } from './retention.queries.ts'

/** Runs before a byte of the recording is read. A repeated upload gets the response of the first. */
export async function assertMayUpload(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { isRepeatable }: { isRepeatable: boolean },
): Promise<void> {
  const { submission, access } = await getVisibleSubmission(tx, actor, id)
  assertAuthor(access, 'upload a recording')
  if (!isRepeatable) assertDraft(submission)
}

type Upload = {
  file: FileRow | undefined
  fields: { transcript?: string; duration_seconds?: number }
  expectedVersion?: number
}

export async function uploadPitchVideo(
  tx: TenantTx,
  context: PitchContext,
  actor: UserActor,
  id: string,
  { file, fields: { transcript, duration_seconds }, expectedVersion }: Upload,
): Promise<Submission> {
  if (!file && transcript === undefined)
    throw invalid('body', '/video', 'required', '`video` or `transcript` is required.')
  const { access } = await getVisibleSubmission(tx, actor, id)
  const draft = await lockSubmission(tx, id)
  assertVersion(draft, expectedVersion)
  assertDraft(draft)
  const submitted = await updateSubmissionRow(tx, id, {
    status: 'submitted',
    submitted_at: context.clock.now(),
    ...(file && { file_id: file.id }),
    ...(transcript !== undefined && { transcript, transcript_source: 'supplied' }),
    ...(duration_seconds !== undefined && { duration_seconds }),
  })
  await recordSubmitted(tx, draft, submitted)
  return await presentSubmission(tx, context, actor, submitted, access)
}

/** Deletes the recordings of submissions. Transcripts, scores and comments stay. */
export async function deleteVideos(tx: TenantTx, { clock }: { clock: Clock }, ids: readonly string[]): Promise<number> {
  const submissions = await lockSubmissionsWithVideo(tx, ids)
  await deleteRecordings(tx, { clock }, submissions)
  const changed = await markVideosDeleted(
    tx,
    submissions.map(({ id }) => id),
    clock.now(),
  )
  await recordPracticeAudit(tx, 'pitch_submission.video_deleted', ...changed.map(toAuditedRecord))
  const shared = changed.filter((submission) => !isPrivate(submission))
  await emitMany(
    tx,
    pitchVideoDeleted,
    shared.map((subject) => ({ subject, data: { user_id: subject.user_id, prompt_id: subject.prompt_id } })),
  )
  return changed.length
}

/** The user of the request, or of the ticket that replaces the credential. */
type VideoReader = { actor: UserActor | null; ticket: FileTicket | null }

/** Returns the id of the file. The retention of the submission decides before the file is looked up. */
export async function findPitchVideo(tx: TenantTx, id: string, { actor, ticket }: VideoReader): Promise<string> {
  const reader = ticket ? await readTicketUser(tx, ticket) : actor
  if (!reader) throw unauthenticated()
  const { submission } = await getVisibleSubmission(tx, reader, id)
  if (submission.video_deleted_at)
    throw gone('video_deleted', 'The video was deleted, because its retention period has ended.')
  if (!submission.file_id) throw notFound('video')
  return submission.file_id
}

/** A ticket ends when its user is deactivated or signs out everywhere. */
async function readTicketUser(tx: TenantTx, { userId, issuedAt }: FileTicket): Promise<UserActor> {
  const user = userId ? await findFileReader(tx, userId, issuedAt) : undefined
  if (!userId || !user?.hasSession)
    throw unauthenticated('authentication_required', 'The user of the ticket is signed out. Request a new URL.')
  return { ...actorOf(tx), userId, role: user.role }
}
