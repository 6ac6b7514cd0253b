import { recordPracticeAudit } from '#modules/coaching'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { pitchEvaluated } from '../pitches.events.ts'
import type { PitchEvaluation } from '../submissions/evaluation.schemas.ts'
import { lockSubmissionWithAssignment, storeOutcome } from '../submissions/store-outcome.service.ts'
import type { SubmissionRow } from '../submissions/submission-row.ts'
import { isPrivate, toAuditedRecord } from '../submissions/submissions.rules.ts'
import { updateClaimedSubmission } from './evaluation.queries.ts'

type Result = { evaluation: PitchEvaluation; holder: { claimId: string } | { taskId: string } }

/** Replaces the evaluation and ends the claim. Undefined if another request took over. */
export async function storeEvaluation(
  tx: TenantTx,
  id: string,
  { evaluation, holder }: Result,
): Promise<SubmissionRow | undefined> {
  const locked = await lockSubmissionWithAssignment(tx, id)
  const { submission: before } = locked
  const evaluated = await updateClaimedSubmission(tx, id, holder, {
    evaluation: JSON.stringify(evaluation),
    evaluation_state: 'done',
    evaluation_error: null,
    ai_score: evaluation.overall,
    claim_id: null,
    claimed_until: null,
    task_id: null,
  })
  if (!evaluated) return undefined
  await recordPracticeAudit(tx, 'pitch_submission.evaluated', {
    ...toAuditedRecord(before),
    before: { evaluation: toAuditedEvaluation(before.evaluation) },
    after: { evaluation: toAuditedEvaluation(evaluation) },
  })
  const { user_id, prompt_id } = before
  const outcome = await storeOutcome(tx, { ...locked, submission: { ...evaluated, status: before.status } })
  const data = { user_id, prompt_id, score: evaluation.overall, passed: outcome.passed }
  if (!isPrivate(before)) await emit(tx, pitchEvaluated, outcome, data)
  return outcome
}

/** The scores of a replaced evaluation, without quotes, because the audit log outlives the submission. */
const toAuditedEvaluation = (evaluation: PitchEvaluation | null) =>
  evaluation && {
    overall: evaluation.overall,
    engine: evaluation.engine,
    model: evaluation.model,
    lexicon: evaluation.lexicon,
    criteria_version: evaluation.criteria_version,
    scores: Object.fromEntries(evaluation.criteria.map(({ key, score }) => [key, score])),
  }
