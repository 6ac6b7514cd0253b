import { invalid, invalidTransition } from '#platform/errors'
import { isBackward, type LifecycleStage, lifecycleStages, stageRank } from '../../records/persons/lifecycle.rules.ts'

/** Later stages are reached through deals only. */
export const settableLeadStages = ['subscriber', 'lead', 'mql', 'sql'] as const

export function assertLeadStageTransition(from: string, to: string, reason: string | null | undefined): void {
  if (stageRank(to) > stageRank('sql'))
    throw invalidTransition(`The stage ${to} cannot be set manually.`, {
      from,
      to,
      allowed: settableLeadStages.filter((stage) => stage !== from),
    })
  if (isBackward(from, to) && !reason)
    throw invalid('body', '/stage_reason', 'required', '`stage_reason` is required to move a lead to an earlier stage.')
}

export const stageForStatus = (status: string, stage: string): string =>
  status === 'qualified' ? laterStage(stage, 'sql') : stage

export const laterStage = (stage: string, other: LifecycleStage): LifecycleStage =>
  lifecycleStages[Math.max(stageRank(stage), stageRank(other))]!
