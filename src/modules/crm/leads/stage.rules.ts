import { conflict, invalid } from '#platform/errors'
import { isBackward, type LadderStage, ladder, stageRank } from '../persons/life-cycle.rules.ts'

/** What people may say of a lead. What follows is reached by deals, not by saying so. */
export const settableStages = ['subscriber', 'lead', 'mql', 'sql'] as const

/** For whoever asks by hand: up to sql, and backward only with a reason. */
export function assertStageStep(from: string, to: string, reason: string | null | undefined): void {
  if (stageRank(to) > stageRank('sql'))
    throw conflict('invalid_transition', `A lead becomes ${to} by what happens to it, not by hand.`, {
      from,
      to,
      allowed: settableStages.filter((stage) => stage !== from),
    })
  if (isBackward(from, to) && !reason)
    throw invalid('body', '/stage_reason', 'required', 'Say why the lead goes back to an earlier stage.')
}

/** The higher of the two. */
export const atLeast = (stage: string, least: LadderStage): LadderStage =>
  ladder[Math.max(stageRank(stage), stageRank(least))]!
