import { readSpeechProvider } from '#modules/coaching'
import { resolveTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { maxAudioBytes, type SpeechProvider, type Transcript } from '#platform/ai'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { extractAudio, type FileRow } from '#platform/files'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler, type TaskContext } from '#platform/tasks'
import { durationOf, findVideo } from '../submissions/present-submission.service.ts'
import type { SubmissionRow } from '../submissions/submission-row.ts'
import { findSubmission } from '../submissions/submissions.queries.ts'
import { isPrivate } from '../submissions/submissions.rules.ts'
import { updateClaimedSubmission } from './evaluation.queries.ts'
import { judgePitch } from './judge-pitch.flow.ts'
import { transcriptRequiredError } from './start-evaluation.service.ts'
import { storeEvaluation } from './store-evaluation.service.ts'
import { evaluateRecordingTask } from './transcription-task.ts'

const maxAttempts = 3

type TaskServices = Pick<Services, 'clock' | 'models' | 'secrets' | 'storage' | 'transcriber'>

/** Transcribes the recording of a pitch, then scores it. After the third failed attempt the pitch shows the reason. */
export const evaluateRecordingHandler = (services: TaskServices): JobHandler =>
  defineTaskHandler(evaluateRecordingTask, async (context, { submission_id: id, by }) => {
    const { clock } = services
    const actor = await context.inTenant((tx) =>
      resolveTaskRequester(tx, by, { scopes: ['pitch.write'], now: clock.now() }),
    )
    try {
      const work = await context.inTenant((tx) => startWork(tx, services, id, context.taskId))
      if (!work) return { submission_id: id, overall: null }
      const submission = work.file ? await transcribeRecording(services, context, { ...work, actor }) : work.submission
      if (!submission || (await context.isCancelled())) return { submission_id: id, overall: null }
      return await scoreRecording(services, context, { actor, submission })
    } catch (error) {
      const isFinal = isClientError(error) || context.attempt >= maxAttempts
      if (context.signal.aborted || !isFinal) throw error
      const failure = isClientError(error) ? error : transcriptionFailed('The recording could not be evaluated.')
      await context.inTenant((tx) => markFailed(tx, id, context.taskId, failure.message))
      throw failure
    }
  })

const isClientError = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.status !== 429

const transcriptionFailed = (message: string) => new AppError(422, 'transcription_failed', message)

type Work = { submission: SubmissionRow; file: FileRow | null; provider: SpeechProvider | null }

/** Without a file if an earlier attempt has stored the transcript. Undefined if the task no longer holds the evaluation. */
async function startWork(
  tx: TenantTx,
  { secrets }: TaskServices,
  id: string,
  taskId: string,
): Promise<Work | undefined> {
  const submission = await updateClaimedSubmission(tx, id, { taskId }, { evaluation_state: 'running' })
  if (!submission) return undefined
  if (submission.transcript !== null) return { submission, file: null, provider: null }
  const file = await findVideo(tx, submission)
  const provider = await readSpeechProvider(tx, secrets, 'transcription')
  if (!file || !provider) throw transcriptRequiredError()
  return { submission, file, provider }
}

async function transcribeRecording(
  { storage, transcriber }: TaskServices,
  context: TaskContext,
  { submission, file, provider, actor }: Work & { actor: UserActor },
): Promise<SubmissionRow | undefined> {
  const audio = await extractAudio(storage, context.tenantId, file!, maxAudioBytes)
  if (audio === 'missing') throw transcriptRequiredError()
  if (audio === 'failed') throw transcriptionFailed('The recording has no sound that can be decoded.')
  const { language } = submission.prompt_snapshot
  const result = await transcriber.transcribe(actor, provider!, { ...audio, language, signal: context.signal })
  if ('failure' in result) {
    const message = `The provider did not transcribe the recording (${result.failure}, ${result.detail}).`
    if (context.attempt < maxAttempts) throw new Error(message)
    throw transcriptionFailed(message)
  }
  const { transcript } = result
  return await context.inTenant((tx) =>
    updateClaimedSubmission(tx, submission.id, { taskId: context.taskId }, toColumns(submission, transcript)),
  )
}

/** Silence has no text; it is stored as a mark without words. */
const toColumns = ({ duration_seconds }: SubmissionRow, { text, segments, durationSeconds }: Transcript) => ({
  transcript: text || '…',
  segments: JSON.stringify(segments),
  transcript_source: 'engine',
  duration_seconds: duration_seconds ?? (durationSeconds || null),
})

/** Admins see the task if the practice was shared when it started, so the result of private practice has no score. */
async function scoreRecording(
  services: TaskServices,
  context: TaskContext,
  { actor, submission }: { actor: UserActor; submission: SubmissionRow },
): Promise<{ submission_id: string; overall: number | null }> {
  const { id, transcript, segments, prompt_snapshot } = submission
  const file = await context.inTenant((tx) => findVideo(tx, submission))
  const recording = { transcript: transcript!, segments, durationSeconds: durationOf(submission, file) }
  const evaluation = await judgePitch(services, actor, prompt_snapshot, recording, { signal: context.signal })
  const stored = await context.inTenant(async (tx) => {
    const holder = { taskId: context.taskId }
    return (await findSubmission(tx, id)) && (await storeEvaluation(tx, id, { evaluation, holder }))
  })
  return { submission_id: id, overall: stored && !isPrivate(stored) ? evaluation.overall : null }
}

async function markFailed(tx: TenantTx, id: string, taskId: string, reason: string): Promise<void> {
  await updateClaimedSubmission(
    tx,
    id,
    { taskId },
    {
      evaluation_state: 'failed',
      evaluation_error: reason.slice(0, 500),
      task_id: null,
    },
  )
}
