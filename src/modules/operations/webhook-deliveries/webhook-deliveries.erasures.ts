import type { Erasure } from '#platform/module'
import { eventScanOf } from '../erasure/erased-subject.rules.ts'
import { redactDeliveries } from './webhook-deliveries.queries.ts'

/** Erases the data of stored events, which can mention the person, and keeps the log of attempts. */
export const deliveryErasure: Erasure = {
  name: 'webhook_deliveries',
  async erase(tx, subject, after) {
    const { redacted, next } = await redactDeliveries(tx, { ...eventScanOf(subject), after })
    return { counts: { 'operations.webhook_deliveries': redacted }, ...(next && { next }) }
  },
}
