import { conflict, invalid } from '#platform/errors'
import { isBackward, ladder, type Stage, stageRank, stageTimes } from '../persons/life-cycle.rules.ts'

export const contactStages = [...ladder, 'former_customer'] as const satisfies readonly Stage[]

const canLeave = ['customer', 'evangelist']

/** People may say any stage. Going back, or away, needs a reason; and only who was a customer can have left. */
export function assertStageStep(from: string, to: Stage, reason: string | null | undefined): void {
  if (to === 'former_customer' && !canLeave.includes(from))
    throw conflict('invalid_transition', `Only a customer can become a former customer, and this contact is ${from}.`, {
      from,
      to,
      allowed: ladder.filter((stage) => stage !== from),
    })
  if ((to === 'former_customer' || isBackward(from, to)) && !reason)
    throw invalid('body', '/stage_reason', 'required', 'Say why the contact goes back to an earlier stage, or left.')
}

/** What happens by itself goes up only. Whoever left and buys again is a customer again. */
export const isStepUp = (from: string, to: Stage): boolean =>
  stageRank(to) > stageRank(from) || (from === 'former_customer' && to === 'customer')

type Staged = Parameters<typeof stageTimes>[0] & { former_customer_at: Date | null }

/** The columns a step writes. The first time a stage is reached stays. */
export function stageColumns(contact: Staged, to: Stage, now: Date) {
  const hasLeft = to === 'former_customer'
  return {
    lifecycle_stage: to,
    ...stageTimes(contact, to, now),
    ...(hasLeft && contact.customer_at === null && { customer_at: now }),
    ...(hasLeft && contact.former_customer_at === null && { former_customer_at: now }),
  }
}
