import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { notifyRoleplayFinished } from '../coaching-sessions/session-notifications.ts'
import { abandonRoleplay } from './abandon-roleplay.service.ts'
import { minScoredTurns } from './analysis.rules.ts'
import { claimEvaluation, listMessages } from './roleplay.queries.ts'
import { claimSeconds } from './roleplay.rules.ts'
import { storeResult } from './store-result.service.ts'

export type OverdueRoleplay = { id: string; turns: number; status: string }

/** Scores with rules only, because a job that uses a model could be lost again. False if a request has the roleplay. */
export async function endRoleplay(tx: TenantTx, { id, turns, status }: OverdueRoleplay, now: Date): Promise<boolean> {
  const isAutomatic = status === 'active'
  const claimId = newId()
  const roleplay = await claimEvaluation(tx, id, { claimId, now, until: secondsLater(now, claimSeconds) })
  if (!roleplay) return false
  if (isAutomatic && turns < minScoredTurns) {
    await abandonRoleplay(tx, roleplay, { claimId, now })
    return true
  }
  const messages = await listMessages(tx, id)
  const provenance = { engine: 'rules' as const, model: null, fallback_reason: null }
  const judgements = { ...provenance, output: { criteria: [] } }
  const finished = await storeResult(tx, { roleplay, messages, claimId, judgements, isAutomatic, now })
  if (finished) await notifyRoleplayFinished(tx, finished)
  return finished !== undefined
}
