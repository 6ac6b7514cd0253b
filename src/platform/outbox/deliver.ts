import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler } from '#platform/jobs'
import { Id } from '#platform/schema'
import { type EventEnvelope, findSubscription } from './subscriptions.ts'

export const deliverEvent = defineJob(
  'platform.deliver_event',
  'events',
  Type.Object({ event_id: Id, consumer: Type.String() }),
)

/** Delivers an event to one consumer. Receipt and effect share a transaction, so a repeated delivery has no effect. */
export const deliverEventHandler = defineJobHandler(deliverEvent, async ({ inTenant, log }, { event_id, consumer }) => {
  const exists = await inTenant((tx) => deliver(tx, consumer, event_id))
  if (!exists) log.warn({ event_id, consumer }, 'event was deleted before its delivery')
})

async function deliver(tx: TenantTx, consumer: string, eventId: string): Promise<boolean> {
  const subscription = findSubscription(tx, consumer)
  if (!subscription) throw new Error(`Unknown event consumer ${consumer}.`)
  if (!(await insertReceipt(tx, consumer, eventId))) return true
  const event = await findEvent(tx, eventId)
  if (!event) return false
  await subscription.handle(tx, event as EventEnvelope<never>)
  return true
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
