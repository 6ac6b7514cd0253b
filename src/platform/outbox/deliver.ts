import { sql } from 'kysely'
import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, MissingHandlerError } from '#platform/jobs'
import { Id } from '#platform/schema'
import { isConsumerRegistered } from './consumers.ts'
import { listEventsById } from './list-events.ts'
import { type EventEnvelope, findSubscription, type Subscription } from './subscriptions.ts'

export const maxEventsPerJob = 100

export const deliverEvent = defineJob(
  'platform.deliver_event',
  'events',
  Type.Object({ event_id: Id, consumer: Type.String() }),
)

export const deliverEvents = defineJob(
  'platform.deliver_events',
  'events',
  Type.Object({ event_ids: Type.Array(Id, { maxItems: maxEventsPerJob }), consumer: Type.String() }),
)

/** Delivers events to one consumer. Receipts and effect share a transaction, so a repeated delivery has no effect. */
export const deliverEventHandlers = [
  defineJobHandler(deliverEvent, async ({ inTenant, log }, { event_id, consumer }) => {
    const problem = await inTenant((tx) => deliver(tx, consumer, [event_id]))
    if (problem) log.warn({ event_id, consumer }, problem)
  }),
  defineJobHandler(deliverEvents, async ({ inTenant, log }, { event_ids, consumer }) => {
    const problem = await inTenant((tx) => deliver(tx, consumer, event_ids))
    if (problem) log.warn({ event_ids, consumer }, problem)
  }),
]

async function deliver(tx: TenantTx, consumer: string, eventIds: readonly string[]): Promise<string | undefined> {
  const events = await listEventsById(tx, eventIds)
  const subscription = findSubscription(tx, consumer)
  const types = subscription?.types
  const known = events.filter(({ type }) => types?.has(type))
  for (const { type } of events.filter((event) => !types?.has(event.type)))
    if (await isConsumerRegistered(tx, type, consumer))
      throw new MissingHandlerError(`No consumer ${consumer} of ${type}.`)

  if (subscription && known.length) await deliverOnce(tx, subscription, known)
  if (events.length < eventIds.length) return 'event was deleted before its delivery'
  return known.length < events.length ? 'event was not delivered to a retired consumer' : undefined
}

async function deliverOnce(tx: TenantTx, { consumer, handle, handleAll }: Subscription, events: EventEnvelope[]) {
  const undelivered = await insertReceipts(
    tx,
    consumer,
    events.map(({ id }) => id),
  )
  const remaining = events.filter(({ id }) => undelivered.has(id)) as EventEnvelope<never>[]
  if (!remaining.length) return
  if (handleAll) await handleAll(tx, remaining)
  else for (const event of remaining) await handle(tx, event)
}

/** Waits for a concurrent delivery of the same events; returns those that were not delivered before. */
async function insertReceipts(tx: TenantTx, consumer: string, eventIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ event_id: string }>`
    insert into platform.event_receipts (consumer, event_id)
    select ${consumer}, event_id from unnest(${eventIds}::uuid[]) as event_id order by event_id
    on conflict do nothing returning event_id
  `.execute(tx)
  return new Set(rows.map(({ event_id }) => event_id))
}
