import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { markEndpointDisabled, type OwnerLoss } from '../webhook-endpoints/disable-endpoint.service.ts'
import {
  type EndpointRow,
  lockEndpointsOfOwner,
  lockWebhookEndpoints,
} from '../webhook-endpoints/webhook-endpoints.queries.ts'
import { auditedFields, auditedUrl, maskUrl } from '../webhook-endpoints/webhook-endpoints.rules.ts'
import { refreshEventOptIn } from '../webhook-endpoints/webhook-endpoints.service.ts'
import { notifyAboutLostOwner } from './endpoint-notifications.ts'

type Disabling = { loss: OwnerLoss; now: Date }

export async function disableEndpointsOfUser(tx: TenantTx, userId: string, disabling: Disabling): Promise<void> {
  await lockWebhookEndpoints(tx)
  for (const endpoint of await lockEndpointsOfOwner(tx, userId)) await disableOwnerless(tx, endpoint, disabling)
  await refreshEventOptIn(tx)
}

/** The caller must hold the lock of the endpoint. */
export async function disableOwnerless(tx: TenantTx, endpoint: EndpointRow, { loss, now }: Disabling): Promise<void> {
  const { id } = endpoint
  const url = maskUrl(endpoint.url)
  const disabled = await markEndpointDisabled(tx, id, { reason: loss, now })
  await recordAudit(tx, 'webhook_endpoint.updated', {
    id,
    label: auditedUrl(endpoint.url),
    before: auditedFields(endpoint),
    after: auditedFields(disabled),
  })
  await notifyAboutLostOwner(tx, { id, url })
}
