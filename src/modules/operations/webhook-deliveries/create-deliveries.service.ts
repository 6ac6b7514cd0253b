import type { TenantTx } from '#platform/db'
import { type EventEnvelope, subscribeToAll } from '#platform/outbox'
import { enqueueDispatches } from '../webhook-dispatch/dispatch-job.ts'
import { type EventFilter, matchesType } from '../webhook-endpoints/event-filter.rules.ts'
import { listEnabledEndpoints, lockWebhookEndpoints } from '../webhook-endpoints/webhook-endpoints.queries.ts'
import { refreshEventOptIn, webhookConsumer } from '../webhook-endpoints/webhook-endpoints.service.ts'
import { deriveDeliveryId } from './delivery-id.rules.ts'
import { insertDeliveries, type NewDelivery } from './webhook-deliveries.queries.ts'

export const webhookSubscription = subscribeToAll(webhookConsumer, createDeliveries)

async function createDeliveries(tx: TenantTx, events: EventEnvelope[]): Promise<void> {
  const endpoints = await listEnabledEndpoints(tx)
  // An endpoint that its server or a failure disabled, or that was deleted with all data, leaves the workspace opted in.
  if (!endpoints.length) {
    await lockWebhookEndpoints(tx)
    return await refreshEventOptIn(tx)
  }
  const matching = endpoints
    .map((endpoint) => ({ ...endpoint, deliveries: toDeliveries(endpoint, events) }))
    .filter(({ deliveries }) => deliveries.length)
  await insertDeliveries(
    tx,
    matching.flatMap(({ deliveries }) => deliveries),
  )
  await enqueueDispatches(
    tx,
    matching.map(({ id, next_probe_at }) => ({ endpointId: id, startAfter: next_probe_at })),
  )
}

/** Returns the first deliveries of the events that the endpoint subscribes to. Sample data is not delivered. */
export function toDeliveries(endpoint: EventFilter & { id: string }, events: readonly EventEnvelope[]): NewDelivery[] {
  return events
    .filter(({ type, origin }) => origin !== 'sample' && matchesType(endpoint, type))
    .map(({ id, type, subject, actor, data, occurred_at }) => ({
      id: deriveDeliveryId(endpoint.id, id),
      endpoint_id: endpoint.id,
      event_id: id,
      event_type: type,
      event: { subject, actor, data, occurred_at },
      next_attempt_at: occurred_at,
    }))
}
