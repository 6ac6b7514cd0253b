import type { UserActor } from '#platform/access'
import type { Services } from '#platform/module'
import { defineTextWork, isShortText } from '#platform/text-work'
import type { PitchEvaluation } from '../submissions/evaluation.schemas.ts'
import type { PromptSnapshot } from '../submissions/submission-row.ts'
import { evaluatePitch, hasWords, type Provenance, type Recording } from './evaluate-pitch.rules.ts'
import {
  isValidJudgement,
  judgementInstructions,
  PitchJudgements,
  toJudgementData,
  toJudgements,
} from './judgement.rules.ts'

const byRules: Provenance = { engine: 'rules', model: null, fallback_reason: null }

const evaluatePitchInThread = defineTextWork({
  file: new URL('./evaluate-pitch.rules.ts', import.meta.url),
  run: evaluatePitch,
  isCheap: (_, { transcript }) => isShortText(transcript),
})

/** Asks a model about criteria of the kind `judgement`, without a transaction; everything else is scored by rules. */
export async function judgePitch(
  { models }: Pick<Services, 'models'>,
  actor: UserActor,
  snapshot: PromptSnapshot,
  recording: Recording,
  { signal }: { signal?: AbortSignal } = {},
): Promise<PitchEvaluation> {
  const evaluate = (options: Parameters<typeof evaluatePitch>[2]) =>
    evaluatePitchInThread(actor.tenantId, snapshot, recording, options)
  const data = toJudgementData(snapshot, recording.transcript)
  if (!data.criteria.length || !hasWords(recording.transcript)) return await evaluate({ provenance: byRules })
  const answer = await models.ask(actor, {
    purpose: 'pitch_evaluation',
    instructions: judgementInstructions,
    data,
    schema: PitchJudgements,
    ...(signal && { signal }),
  })
  if (answer.engine === 'rules') return await evaluate({ provenance: answer })
  if (!isValidJudgement(answer.output, data))
    return await evaluate({ provenance: { ...byRules, fallback_reason: 'invalid_output' } })
  const { output, ...provenance } = answer
  return await evaluate({ judgements: toJudgements(output), provenance })
}
