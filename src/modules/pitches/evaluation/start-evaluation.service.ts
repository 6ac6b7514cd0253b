import { readSpeechProvider } from '#modules/coaching'
import { toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { SpeechProvider } from '#platform/ai'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { AppError, conflict } from '#platform/errors'
import { type FileRow, fileQuarantined, scanPending } from '#platform/files'
import type { SecretBox } from '#platform/secrets'
import { type StartedTask, startTask } from '#platform/tasks'
import { durationOf, findVideo } from '../submissions/present-submission.service.ts'
import { assertInvolved, getVisibleSubmission } from '../submissions/submission-access.service.ts'
import type { SubmissionRow } from '../submissions/submission-row.ts'
import { assertSubmitted, isPrivate, titleOf } from '../submissions/submissions.rules.ts'
import { claimEvaluation, queueEvaluation } from './evaluation.queries.ts'
import { evaluateRecordingTask } from './transcription-task.ts'

/** Longer than a call of a model may take. */
const claimSeconds = 60

export const evaluationRunningError = () =>
  new AppError(409, 'evaluation_running', 'The pitch is being evaluated. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  })

export const transcriptRequiredError = () =>
  conflict('transcript_required', 'The recording cannot be transcribed. Submit another take with a transcript.')

type Prepared =
  | { submission: SubmissionRow; durationSeconds: number | null; transcript: string }
  | { file: FileRow; provider: SpeechProvider }

/** Claims a pitch with a transcript, or checks that its recording can be transcribed. */
export async function prepareEvaluation(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { secrets, claimId, now }: { secrets: SecretBox; claimId: string; now: Date },
): Promise<Prepared> {
  const { submission, access } = await getVisibleSubmission(tx, actor, id)
  assertInvolved(access, 'evaluate a pitch')
  assertSubmitted(submission)
  const file = await findVideo(tx, submission)
  if (submission.transcript !== null) {
    const claimed = await claimEvaluation(tx, id, { claimId, now, until: secondsLater(now, claimSeconds) })
    if (!claimed) throw evaluationRunningError()
    return { submission: claimed, durationSeconds: durationOf(claimed, file), transcript: submission.transcript }
  }
  const provider = await readSpeechProvider(tx, secrets, 'transcription')
  if (!file || !provider) throw transcriptRequiredError()
  assertScanned(file)
  return { file, provider }
}

function assertScanned({ scan_status }: FileRow): void {
  if (scan_status === 'pending') throw scanPending()
  if (scan_status !== 'clean' && scan_status !== 'skipped') throw fileQuarantined()
}

/** A task transcribes the recording and evaluates it. */
export async function startRecordingTask(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { now }: { now: Date },
): Promise<StartedTask> {
  const { submission } = await getVisibleSubmission(tx, actor, id)
  const payload = { submission_id: id, by: toTaskRequester(actor) }
  const task = await startTask(tx, evaluateRecordingTask, payload, {
    title: `Evaluate the pitch "${titleOf(submission)}"`,
    resource: { type: 'pitch_submission', id },
    isPrivate: isPrivate(submission),
  })
  if (!(await queueEvaluation(tx, id, { taskId: task.task_id, now }))) throw evaluationRunningError()
  return task
}
