import { Type } from 'typebox'
import { TaskRequester } from '#modules/identity'
import type { Erasure } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'
import { eventScanOf } from '../erasure/erased-subject.rules.ts'
import { redactDeliveries } from './webhook-deliveries.queries.ts'

export const recoverDeliveriesTask = defineTask(
  'operations.recover_webhooks',
  'bulk',
  strict({
    endpoint_id: Id,
    since: Type.String(),
    states: Type.Array(Type.Enum(['failed', 'skipped'])),
    requester: TaskRequester,
  }),
)

/** Erases the data of stored events, which can mention the person, and keeps the log of attempts. */
export const deliveryErasure: Erasure = {
  name: 'webhook_deliveries',
  async erase(tx, subject, after) {
    const { redacted, next } = await redactDeliveries(tx, { ...eventScanOf(subject), after })
    return { counts: { 'operations.webhook_deliveries': redacted }, ...(next && { next }) }
  },
}
