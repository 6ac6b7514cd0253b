import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, invalid } from '#platform/errors'
import type { FileRow } from '#platform/files'
import { type PitchContext, presentSubmission } from '../submissions/present-submission.service.ts'
import { assertAuthor, getVisibleSubmission } from '../submissions/submission-access.service.ts'
import { lockSubmission, updateSubmissionRow } from '../submissions/submissions.queries.ts'
import { assertDraft } from '../submissions/submissions.rules.ts'
import type { Submission } from '../submissions/submissions.schemas.ts'
import { recordSubmitted } from '../submissions/submit-pitch.service.ts'

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
