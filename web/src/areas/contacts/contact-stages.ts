import type { Schemas } from '../../api/client.ts'

export type ContactStage = Schemas['Contact']['lifecycle_stage']

/** In the order of the way to a customer. */
export const contactStages = [
  'subscriber',
  'lead',
  'mql',
  'sql',
  'opportunity',
  'customer',
  'evangelist',
  'former_customer',
] as const satisfies readonly ContactStage[]

/** Only customers can become former customers. */
export const canFollow = (from: ContactStage, to: ContactStage): boolean =>
  to !== from && (to !== 'former_customer' || from === 'customer' || from === 'evangelist')

const rankOf = (stage: ContactStage): number => contactStages.indexOf(stage === 'former_customer' ? 'customer' : stage)

/** Whether the API asks why: for each step back, and for a customer who was lost. */
export const needsReason = (from: ContactStage, to: ContactStage): boolean =>
  to === 'former_customer' || rankOf(to) < rankOf(from)
