import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, handleJob } from '#platform/jobs'
import { Id } from '#platform/schema'
import { findConsumer, type Happened, type Subscription } from './subscriptions.ts'

export const deliverEvent = defineJob(
  'platform.deliver_event',
  'events',
  Type.Object({ event_id: Id, consumer: Type.String() }),
)

/** Hands an event to one consumer. Receipt and effect are one transaction, so a second delivery has no effect. */
export const deliveringEvents = handleJob(deliverEvent, async ({ inTenant, log }, { event_id, consumer }) => {
  const subscription = findConsumer(consumer)
  if (!subscription) throw new Error(`Nobody here is the consumer ${consumer}.`)
  const isKnown = await inTenant((tx) => deliver(tx, subscription, event_id))
  if (!isKnown) log.warn({ event_id, consumer }, 'an event was gone before its consumer got it')
})

async function deliver(tx: TenantTx, { consumer, handle }: Subscription, eventId: string): Promise<boolean> {
  if (!(await insertReceipt(tx, consumer, eventId))) return true
  const event = await findEvent(tx, eventId)
  if (!event) return false
  await handle(tx, event as Happened<never>)
  return true
}

/** Waits for another delivery of the same event to this consumer; tells whether ours is the one that counts. */
async function insertReceipt(tx: TenantTx, consumer: string, event_id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('platform.event_receipts')
    .values({ consumer, event_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

async function findEvent(tx: TenantTx, id: string): Promise<Happened | undefined> {
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
    actor: row.actor as Happened['actor'],
    origin: row.origin as Happened['origin'],
    data: row.data,
    isTruncated: (row.data as { truncated?: unknown }).truncated === true,
    occurred_at: row.occurred_at,
  }
}
