import { findUserCards } from '#modules/identity'
import { type Role, scopesOfRole } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { webhookEndpointDisabled } from '../operations.events.ts'
import { skipPendingDeliveries } from './skip-deliveries.service.ts'
import { type EndpointRow, type ShownEndpointRow, updateEndpointRow } from './webhook-endpoints.queries.ts'
import { initialHealth, ownerIdOf } from './webhook-endpoints.rules.ts'

export type OwnerLoss = 'owner_deactivated' | 'owner_role_changed'

export const mayOwnEndpoints = (role: Role): boolean => scopesOfRole(role).has('webhooks.write')

/** Returns the role of the user whose rights limit the events, or why the endpoint must not deliver any. */
export async function findOwnerRole(
  tx: TenantTx,
  endpoint: Pick<ShownEndpointRow, 'owner_id' | 'created_by'>,
): Promise<{ role: Role } | { role: null; loss: OwnerLoss }> {
  const ownerId = ownerIdOf(endpoint)
  const owner = ownerId === null ? undefined : (await findUserCards(tx, [ownerId])).get(ownerId)
  if (owner?.status !== 'active') return { role: null, loss: 'owner_deactivated' }
  return mayOwnEndpoints(owner.role) ? { role: owner.role } : { role: null, loss: 'owner_role_changed' }
}

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
