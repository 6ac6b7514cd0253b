import type { Erasure } from '#platform/module'
import { redactDeliveries } from './redact-deliveries.queries.ts'

/** Erases the data of stored events, which can mention the person, and keeps the log of attempts. */
export const deliveryErasure: Erasure = {
  name: 'webhook_deliveries',
  async erase(tx, subject, after) {
    const isUser = 'user_id' in subject
    const { redacted, next } = await redactDeliveries(tx, {
      subjectIds: isUser ? [subject.user_id] : [...subject.lead_ids, ...subject.contact_ids],
      mentions: isUser ? [] : [...subject.email_keys, ...subject.phones],
      related: isUser
        ? { ids: [], mentions: [] }
        : { ids: [...subject.account_ids, ...subject.opportunity_ids], mentions: subject.names },
      after,
    })
    return { counts: { 'operations.webhook_deliveries': redacted }, ...(next && { next }) }
  },
}
