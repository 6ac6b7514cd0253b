import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { webhookEndpointDisabled } from '../operations.events.ts'
import type { OwnerLoss } from './endpoint-owner.service.ts'
import { skipPendingDeliveries } from './skip-deliveries.service.ts'
import { type EndpointRow, updateEndpointRow } from './webhook-endpoints.queries.ts'
import { initialHealth } from './webhook-endpoints.rules.ts'

type Disabling = { reason: 'manual' | 'gone' | 'failing' | OwnerLoss; now: Date }

/** Skips what is pending. The caller must hold the lock of the endpoint, and refresh the opt-in to events. */
export async function markEndpointDisabled(tx: TenantTx, id: string, { reason, now }: Disabling): Promise<EndpointRow> {
  const { breaker, next_probe_at } = initialHealth
  const endpoint = await updateEndpointRow(tx, id, {
    status: 'disabled',
    disabled_reason: reason,
    breaker,
    next_probe_at,
  })
  await skipPendingDeliveries(tx, id, now)
  await emit(tx, webhookEndpointDisabled, endpoint, { reason })
  return endpoint
}
