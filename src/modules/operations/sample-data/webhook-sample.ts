import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newIdAt } from '#platform/ids'
import type { IntegrityRun, RecordReference, SampleData, Services } from '#platform/module'
import { deriveDeliveryId } from '../webhook-deliveries/delivery-id.rules.ts'
import { insertFinishedDelivery } from '../webhook-deliveries/webhook-deliveries.queries.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  updateWebhookEndpoint,
} from '../webhook-endpoints/webhook-endpoints.service.ts'
import { type PlannedDelivery, planDeliveries } from './delivery-plan.rules.ts'
import { deleteDeliveriesOfEndpoint } from './webhook-sample.queries.ts'

export const sampleEndpointUrl = 'https://hooks.warehouse.example/tributary'

/** An endpoint that is disabled in the transaction that creates it, so that no request is sent, with its deliveries. */
export const webhookSample = ({ secrets }: Pick<Services, 'secrets'>): SampleData => ({
  name: 'webhooks',
  plan({ now }) {
    const context = { secrets, clock: { now: () => daysLater(now, -30) } }
    return [
      {
        async run(tx, actor, idOf) {
          const input = {
            url: sampleEndpointUrl,
            description: 'Data warehouse. Disabled while its server is moved.',
            event_types: ['lead.*', 'contact.*', 'account.*'],
          }
          const { id } = await createWebhookEndpoint(tx, actor, input, context)
          await updateWebhookEndpoint(tx, actor, id, { changes: { status: 'disabled' } }, context)
          for (const delivery of planDeliveries(now)) await insertDelivery(tx, id, delivery, { actor, idOf })
          return [{ key: 'webhook_endpoint:1', resource_type: 'webhook_endpoint', id }]
        },
      },
    ]
  },
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const endpoints = records.filter(({ resource_type }) => resource_type === 'webhook_endpoint')
    const context = { secrets, clock: { now: () => new Date() } }
    for (const { id } of endpoints)
      await inTenant(async (tx) => {
        await deleteWebhookEndpoint(tx, id, {}, context)
        await deleteDeliveriesOfEndpoint(tx, id)
      })
    return []
  },
})

type DeliveryContext = { actor: { type: string; userId: string | null }; idOf(key: string): string }

async function insertDelivery(
  tx: TenantTx,
  endpointId: string,
  { type, subject, changed, at, attempts }: PlannedDelivery,
  { actor, idOf }: DeliveryContext,
): Promise<void> {
  const eventId = newIdAt(at)
  const last = attempts.at(-1)!
  const [resource] = subject.split(':')
  await insertFinishedDelivery(tx, {
    id: deriveDeliveryId(endpointId, eventId),
    endpoint_id: endpointId,
    event_id: eventId,
    event_type: type,
    event: JSON.stringify({
      subject: { type: resource, id: idOf(subject), version: 1 },
      actor: { type: actor.type, id: actor.userId },
      data: { changed },
      occurred_at: at.toISOString(),
    }),
    state: last.error ? 'failed' : 'succeeded',
    attempts: attempts.length,
    last_status: last.status,
    last_error: last.error,
    finished_at: secondsLater(last.started_at, last.duration_ms / 1_000),
    attempt_log: JSON.stringify(attempts),
  })
}
