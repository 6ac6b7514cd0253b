import { findUserCards } from '#modules/identity'
import type { Role } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { ShownEndpointRow } from './webhook-endpoints.queries.ts'
import { ownerIdOf } from './webhook-endpoints.rules.ts'

/** Returns the role of the user whose rights limit the events; null if there is no such user or it is not active. */
export async function findOwnerRole(
  tx: TenantTx,
  endpoint: Pick<ShownEndpointRow, 'owner_id' | 'created_by'>,
): Promise<Role | null> {
  const ownerId = ownerIdOf(endpoint)
  const owner = ownerId === null ? undefined : (await findUserCards(tx, [ownerId])).get(ownerId)
  return owner?.status === 'active' ? owner.role : null
}
