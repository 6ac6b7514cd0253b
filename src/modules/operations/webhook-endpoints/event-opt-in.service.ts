import type { TenantTx } from '#platform/db'
import { setConsumerOptIn } from '#platform/outbox'
import { countEndpoints } from './webhook-endpoints.queries.ts'

export const webhookConsumer = 'operations.webhooks'

/** Receives events only while an endpoint is enabled. The caller must hold `lockWebhookEndpoints`. */
export async function refreshEventOptIn(tx: TenantTx): Promise<void> {
  await setConsumerOptIn(tx, webhookConsumer, (await countEndpoints(tx)).enabled > 0)
}
