import { findUserCards } from '#modules/identity'
import { type Role, scopesOfRole } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { ShownEndpointRow } from './webhook-endpoints.queries.ts'
import { ownerIdOf } from './webhook-endpoints.rules.ts'

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
