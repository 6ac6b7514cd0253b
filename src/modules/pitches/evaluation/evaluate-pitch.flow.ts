import type { UserActor } from '#platform/access'
import { maxAudioBytes } from '#platform/ai'
import { inTenant } from '#platform/db'
import { canExtractAudio } from '#platform/files'
import type { RequestTransaction } from '#platform/http'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import type { StartedTask } from '#platform/tasks'
import type { PitchEvaluation } from '../submissions/evaluation.schemas.ts'
import { releaseEvaluation } from './evaluation.queries.ts'
import { judgePitch } from './judge-pitch.flow.ts'
import {
  evaluationRunningError,
  prepareEvaluation,
  startRecordingTask,
  transcriptRequiredError,
} from './start-evaluation.service.ts'
import { storeEvaluation } from './store-evaluation.service.ts'

type EvaluationServices = Pick<Services, 'db' | 'clock' | 'models' | 'secrets'>

/** Scores a transcript now, with a model asked between two transactions. A recording without one is left to a task. */
export async function evaluatePitchSubmission(
  services: EvaluationServices,
  actor: UserActor,
  id: string,
  inRequestTransaction: RequestTransaction,
): Promise<PitchEvaluation | StartedTask> {
  const { db, clock, secrets } = services
  const claimId = newId()
  const prepared = await inTenant(db, actor, (tx) =>
    prepareEvaluation(tx, actor, id, { secrets, claimId, now: clock.now() }),
  )
  if ('file' in prepared) {
    if (!(await canExtractAudio(prepared.file, maxAudioBytes))) throw transcriptRequiredError()
    return await inRequestTransaction((tx) => startRecordingTask(tx, actor, id, { now: clock.now() }))
  }
  const { submission, durationSeconds, transcript } = prepared
  try {
    const recording = { transcript, segments: submission.segments, durationSeconds }
    const evaluation = await judgePitch(services, actor, submission.prompt_snapshot, recording)
    return await inRequestTransaction(async (tx) => {
      const stored = await storeEvaluation(tx, id, { evaluation, holder: { claimId } })
      if (!stored) throw evaluationRunningError()
      return evaluation
    })
  } catch (error) {
    await inTenant(db, actor, (tx) => releaseEvaluation(tx, id, claimId))
    throw error
  }
}
