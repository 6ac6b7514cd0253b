import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, MissingHandlerError } from '#platform/jobs'
import { Id } from '#platform/schema'
import { isConsumerRegistered } from './consumers.ts'
import { type EventEnvelope, findSubscription } from './subscriptions.ts'

export const deliverEvent = defineJob(
  'platform.deliver_event',
  'events',
  Type.Object({ event_id: Id, consumer: Type.String() }),
)

/** Delivers an event to one consumer. Receipt and effect share a transaction, so a repeated delivery has no effect. */
export const deliverEventHandler = defineJobHandler(deliverEvent, async ({ inTenant, log }, { event_id, consumer }) => {
  const problem = await inTenant((tx) => deliver(tx, consumer, event_id))
  if (problem) log.warn({ event_id, consumer }, problem)
})

async function deliver(tx: TenantTx, consumer: string, eventId: string): Promise<string | undefined> {
  const event = await findEvent(tx, eventId)
  if (!event) return 'event was deleted before its delivery'
  const subscription = findSubscription(tx, consumer)
  if (!subscription?.types.has(event.type)) {
    if (!(await isConsumerRegistered(tx, event.type, consumer))) return 'event was not delivered to a retired consumer'
    throw new MissingHandlerError(`No consumer ${consumer} of ${event.type}.`)
  }
  if (await insertReceipt(tx, consumer, eventId)) await subscription.handle(tx, event as EventEnvelope<never>)
  return undefined
}

/** Waits for a concurrent delivery of the same event; returns false if it was already delivered. */
async function insertReceipt(tx: TenantTx, consumer: string, event_id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('platform.event_receipts')
    .values({ consumer, event_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

async function findEvent(tx: TenantTx, id: string): Promise<EventEnvelope | undefined> {
  const row = await tx
    .selectFrom('platform.outbox_events')
    .select(['type', 'subject_type', 'subject_id', 'subject_version', 'actor', 'origin', 'data', 'occurred_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id,
    type: row.type,
    subject: { type: row.subject_type, id: row.subject_id, version: row.subject_version },
    actor: row.actor as EventEnvelope['actor'],
    origin: row.origin as EventEnvelope['origin'],
    data: row.data,
    isTruncated: (row.data as { truncated?: unknown }).truncated === true,
    occurred_at: row.occurred_at,
  }
}
