import { secondsLater } from '#platform/clock'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { newId } from '#platform/ids'
import { TextTooComplexError } from '#platform/text-work'
import type { Scorecard } from '../sessions/scorecard.schemas.ts'
import { notifyRoleplayFinished } from '../sessions/session-notifications.ts'
import { abandonRoleplay } from './abandon-roleplay.service.ts'
import { minScoredTurns } from './analysis.rules.ts'
import { scoreRoleplayInThread } from './conversation-work.ts'
import { claimEvaluation, findRoleplay, listMessages } from './roleplay.queries.ts'
import { claimSeconds } from './roleplay.rules.ts'
import { storeResult } from './store-result.service.ts'

export type OverdueRoleplay = { id: string; turns: number; status: string }
type InTenant = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

/** Scores with rules only, because a job that uses a model could be lost again. False if a request has the roleplay. */
export async function endRoleplay(inTenant: InTenant, overdue: OverdueRoleplay, now: Date): Promise<boolean> {
  const isScored = overdue.turns >= minScoredTurns
  const scorecard = isScored ? await scoreByRules(inTenant, overdue.id, now) : null
  return await inTenant((tx) => storeEnd(tx, overdue, scorecard, now))
}

/** Null for a conversation that takes too long; it ends without a score instead of being tried every minute. */
async function scoreByRules(inTenant: InTenant, id: string, now: Date): Promise<Scorecard | null> {
  const { tenantId, roleplay, messages } = await inTenant(async (tx) => ({
    tenantId: tenantIdOf(tx),
    roleplay: await findRoleplay(tx, id),
    messages: await listMessages(tx, id),
  }))
  if (!roleplay) return null
  const provenance = { engine: 'rules' as const, model: null, fallback_reason: null }
  try {
    return await scoreRoleplayInThread(tenantId, roleplay, messages, { provenance, now })
  } catch (error) {
    if (error instanceof TextTooComplexError) return null
    throw error
  }
}

/** The claim fails if a message was stored since the roleplay was scored. */
async function storeEnd(
  tx: TenantTx,
  { id, turns, status }: OverdueRoleplay,
  scorecard: Scorecard | null,
  now: Date,
): Promise<boolean> {
  const isAutomatic = status === 'active'
  const claimId = newId()
  const claim = { claimId, now, until: secondsLater(now, claimSeconds), turns }
  const roleplay = await claimEvaluation(tx, id, claim)
  if (!roleplay) return false
  if (isAutomatic && turns < minScoredTurns) {
    await abandonRoleplay(tx, roleplay, { claimId, now })
    return true
  }
  const finished = await storeResult(tx, { roleplay, scorecard, claimId, isAutomatic, now })
  if (finished) await notifyRoleplayFinished(tx, finished)
  return finished !== undefined
}
