import type { UserActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { webhookTest } from '../operations.events.ts'
import { presentEvents } from '../webhook-dispatch/present-events.service.ts'
import { sendWebhook, type WebhookRequest } from '../webhook-dispatch/send-webhook.ts'
import { toLogEntry } from '../webhook-dispatch/store-results.service.ts'
import { getEndpointRow } from '../webhook-endpoints/webhook-endpoints.queries.ts'
import { assertHasSecret } from '../webhook-endpoints/webhook-endpoints.rules.ts'
import { openWebhookSecrets } from '../webhook-endpoints/webhook-secrets.ts'
import { insertFinishedDelivery } from './webhook-deliveries.queries.ts'

type TestServices = Pick<Services, 'db' | 'clock' | 'secrets' | 'registry' | 'egress'>

/** Sends a test event at once, also to a disabled endpoint, and stores it as a delivery. It does not affect the breaker. */
export async function testWebhookEndpoint(
  services: TestServices,
  actor: UserActor,
  endpointId: string,
  inRequestTransaction: RequestTransaction,
) {
  const { request, event } = await inTenant(services.db, actor, (tx) => prepareTest(tx, services, actor, endpointId))
  const outcome = await sendWebhook(services, request)
  const { status, error, duration_ms, ended_at } = outcome
  const delivery_id = newId()
  return await inRequestTransaction(async (tx) => {
    await getEndpointRow(tx, endpointId)
    await insertFinishedDelivery(tx, {
      id: delivery_id,
      endpoint_id: endpointId,
      event_id: request.eventId,
      event_type: webhookTest.type,
      event,
      state: error === null ? 'succeeded' : 'failed',
      attempts: 1,
      finished_at: ended_at,
      last_status: status,
      last_error: error,
      attempt_log: JSON.stringify([toLogEntry({ outcome, attempts: 0 })]),
    })
    return { delivery_id, status, duration_ms, error }
  })
}

async function prepareTest(
  tx: TenantTx,
  services: TestServices,
  actor: UserActor,
  endpointId: string,
): Promise<{ request: WebhookRequest; event: string }> {
  const endpoint = await getEndpointRow(tx, endpointId)
  assertHasSecret(endpoint)
  const now = services.clock.now()
  const eventId = newId()
  const event = {
    subject: { type: 'webhook', id: endpointId, version: null },
    actor: { type: actor.type, id: actor.type === 'api_key' ? actor.apiKeyId : actor.userId },
    data: { endpoint_id: endpointId },
    occurred_at: now.toISOString(),
  }
  const [payload] = await presentEvents(tx, services, [{ event_id: eventId, event_type: webhookTest.type, event }])
  const place = { tenantId: actor.tenantId, endpointId }
  const request = {
    url: endpoint.url,
    eventId,
    body: JSON.stringify(payload),
    secrets: openWebhookSecrets(services.secrets, place, endpoint, now),
  }
  return { request, event: JSON.stringify(event) }
}
