import { invalid, invalidTransition } from '#platform/errors'
import {
  type ContactStage,
  deriveStageTimestamps,
  isBackward,
  lifecycleStages,
  stageRank,
} from '../../records/person-keys/lifecycle.rules.ts'

export const contactStages = [...lifecycleStages, 'former_customer'] as const satisfies readonly ContactStage[]

const customerStages = ['customer', 'evangelist']

export function assertContactStageChange(from: string, to: ContactStage, reason: string | null | undefined): void {
  if (to === 'former_customer' && !customerStages.includes(from))
    throw invalidTransition(`Only customers can become former customers; the stage of this contact is ${from}.`, {
      from,
      to,
      allowed: lifecycleStages.filter((stage) => stage !== from),
    })
  if ((to === 'former_customer' || isBackward(from, to)) && !reason)
    throw invalid(
      'body',
      '/stage_reason',
      'required',
      '`stage_reason` is required to move a contact to an earlier stage or to `former_customer`.',
    )
}

/** Automatic changes only move forward; a former customer who buys becomes a customer again. */
export const isStageAdvance = (from: string, to: ContactStage): boolean =>
  stageRank(to) > stageRank(from) || (from === 'former_customer' && to === 'customer')

type StageTimestamps = Parameters<typeof deriveStageTimestamps>[0] & { former_customer_at: Date | null }

/** Keeps the first timestamp of every stage. */
export function toContactStageColumns(contact: StageTimestamps, to: ContactStage, now: Date) {
  const isFormerCustomer = to === 'former_customer'
  return {
    lifecycle_stage: to,
    ...deriveStageTimestamps(contact, to, now),
    ...(isFormerCustomer && contact.customer_at === null && { customer_at: now }),
    ...(isFormerCustomer && contact.former_customer_at === null && { former_customer_at: now }),
  }
}
