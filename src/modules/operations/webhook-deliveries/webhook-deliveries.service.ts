import { getTenant } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { createdAtOf, newId } from '#platform/ids'
import { enqueueDispatches } from '../webhook-dispatch/dispatch-job.ts'
import { toEnvelope } from '../webhook-dispatch/present-events.service.ts'
import { assertMaySubscribe, mayReadEvent } from '../webhook-endpoints/event-filter.rules.ts'
import { getEndpointRow } from '../webhook-endpoints/webhook-endpoints.queries.ts'
import { auditedUrl } from '../webhook-endpoints/webhook-endpoints.rules.ts'
import { buildPayload } from '../webhook-payloads/webhook-payload.rules.ts'
import { listDeliveryRows } from './list-deliveries.queries.ts'
import { type DeliveryRow, getDeliveryRow, insertRedeliveries } from './webhook-deliveries.queries.ts'
import type { WebhookDelivery, WebhookDeliveryFilter } from './webhook-deliveries.schemas.ts'

export async function listWebhookDeliveries(tx: TenantTx, endpointId: string, filter: WebhookDeliveryFilter) {
  if (filter.from && filter.to && new Date(filter.to) < new Date(filter.from))
    throw invalid('query', '/to', 'range', '`to` must not be before `from`.')
  await getEndpointRow(tx, endpointId)
  const page = await listDeliveryRows(tx, endpointId, filter)
  return { ...page, items: page.items.map(toDelivery) }
}

export async function getWebhookDelivery(tx: TenantTx, actor: UserActor, endpointId: string, id: string) {
  await getEndpointRow(tx, endpointId)
  const row = await getDeliveryRow(tx, endpointId, id)
  if (!mayReadEvent(actor, row.event_type)) return { ...toDelivery(row), payload: null }
  const { object, ...payload } = buildPayload(toEnvelope(row), null, (await getTenant(tx)).slug)
  return { ...toDelivery(row), payload }
}

/** Sends the same event again, as a new delivery; the finished one stays as it is. */
export async function redeliverWebhook(
  tx: TenantTx,
  actor: UserActor,
  endpointId: string,
  deliveryId: string,
  { clock }: { clock: Clock },
) {
  const endpoint = await getEndpointRow(tx, endpointId)
  const { state, event_type } = await getDeliveryRow(tx, endpointId, deliveryId)
  assertMaySubscribe(actor, [event_type])
  assertEnabled(endpoint)
  if (state === 'pending')
    throw conflict('conflict', 'The delivery is still pending. Wait until it has succeeded or failed.')

  const id = newId()
  await insertRedeliveries(tx, [{ id, of: deliveryId }], clock.now())
  await enqueueDispatches(tx, [{ endpointId, startAfter: endpoint.next_probe_at }])
  await recordAudit(tx, 'webhook_endpoint.redelivered', {
    id: endpointId,
    label: auditedUrl(endpoint.url),
    after: { delivery_id: id, redelivery_of_id: deliveryId },
  })
  return toDelivery(await getDeliveryRow(tx, endpointId, id))
}

export function assertEnabled({ status }: { status: string }): void {
  if (status !== 'enabled') throw conflict('conflict', 'The webhook endpoint is disabled. Enable it first.')
}

const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event_id: row.event_id,
  event_type: row.event_type,
  state: row.state as WebhookDelivery['state'],
  redelivery_of_id: row.redelivery_of_id,
  attempt_count: row.attempts,
  attempts: row.attempt_log as unknown as WebhookDelivery['attempts'],
  next_attempt_at: row.next_attempt_at,
  last_status: row.last_status,
  last_error: row.last_error as WebhookDelivery['last_error'],
  created_at: createdAtOf(row.id),
  finished_at: row.finished_at,
})
