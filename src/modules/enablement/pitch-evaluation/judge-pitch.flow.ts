import type { UserActor } from '#platform/access'
import type { Services } from '#platform/module'
import type { PitchEvaluation } from '../pitch-submissions/evaluation.schemas.ts'
import type { PromptSnapshot } from '../pitch-submissions/submission-row.ts'
import { analyzeRecording, evaluatePitch, type Provenance, type Recording } from './evaluate-pitch.rules.ts'
import {
  isValidJudgement,
  judgementInstructions,
  PitchJudgements,
  toJudgementData,
  toJudgements,
} from './judgement.rules.ts'

const byRules: Provenance = { engine: 'rules', model: null, fallback_reason: null }

/** Asks a model about criteria of the kind `judgement`, without a transaction; everything else is scored by rules. */
export async function judgePitch(
  { models }: Pick<Services, 'models'>,
  actor: UserActor,
  snapshot: PromptSnapshot,
  recording: Recording,
  { signal }: { signal?: AbortSignal } = {},
): Promise<PitchEvaluation> {
  const data = toJudgementData(snapshot, recording.transcript)
  const isJudged = data.criteria.length > 0 && analyzeRecording(snapshot, recording).metrics.repWords > 0
  if (!isJudged) return evaluatePitch(snapshot, recording, { provenance: byRules })
  const answer = await models.ask(actor, {
    purpose: 'pitch_evaluation',
    instructions: judgementInstructions,
    data,
    schema: PitchJudgements,
    ...(signal && { signal }),
  })
  if (answer.engine === 'rules') return evaluatePitch(snapshot, recording, { provenance: answer })
  if (!isValidJudgement(answer.output, data))
    return evaluatePitch(snapshot, recording, { provenance: { ...byRules, fallback_reason: 'invalid_output' } })
  const { output, ...provenance } = answer
  return evaluatePitch(snapshot, recording, { judgements: toJudgements(output), provenance })
}
