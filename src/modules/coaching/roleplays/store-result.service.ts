import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { roleplayFinished } from '../coaching.events.ts'
import { recordPracticeAudit } from '../practice-audit/record-practice-audit.ts'
import { judgeScore } from '../sessions/evidence.rules.ts'
import type { Scorecard } from '../sessions/scorecard.schemas.ts'
import { toAuditedChange } from '../sessions/sessions.rules.ts'
import { isInsufficient } from './analysis.rules.ts'
import { updateClaimedRoleplay } from './roleplay.queries.ts'
import { countVoiceSeconds } from './roleplay.rules.ts'
import type { RoleplayRow } from './roleplay-row.ts'

type Result = {
  roleplay: RoleplayRow
  scorecard: Scorecard | null
  claimId: string
  reflection?: string
  isAutomatic?: boolean
  now: Date
}

/** Stores the scorecard and ends the claim. Undefined if another request took over. */
export async function storeResult(
  tx: TenantTx,
  { roleplay, scorecard: evaluated, claimId, reflection, isAutomatic = false, now }: Result,
): Promise<RoleplayRow | undefined> {
  const insufficient = isInsufficient(roleplay)
  const scorecard = insufficient ? null : evaluated
  const score = scorecard?.score ?? null
  const finished = await updateClaimedRoleplay(tx, roleplay.id, claimId, {
    status: 'finished',
    finished_at: now,
    last_activity_at: now,
    scorecard: scorecard && JSON.stringify(scorecard),
    score,
    passed: judgeScore(score, roleplay),
    insufficient,
    auto_finished: isAutomatic,
    voice_seconds: countVoiceSeconds(roleplay, now),
    // Messages are deleted one day, so the state must not keep their texts.
    state: JSON.stringify({ ...roleplay.state, questions: [] }),
    ...(reflection !== undefined && { rep_reflection: reflection }),
  })
  if (!finished) return undefined
  await recordPracticeAudit(tx, 'coaching_session.finished', {
    id: finished.id,
    ...toAuditedChange(roleplay, finished),
  })
  const { rep_id, scenario_id, passed } = finished
  if (!finished.is_private)
    await emit(tx, roleplayFinished, finished, { rep_id, scenario_id, score, passed, is_automatic: isAutomatic })
  return finished
}
