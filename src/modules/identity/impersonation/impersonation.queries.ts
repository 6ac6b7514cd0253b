import { sql } from 'kysely'
import type { Role } from '#platform/access'
import type { TenantTx } from '#platform/db'

/**
 * Nobody deactivates or demotes them until the transaction ends. Admins first, then by id, as whoever changes them goes;
 * shared, so that two admins who name each other do not wait for each other.
 */
export function holdPeople(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('identity.users')
    .select(['id', 'email', 'name', sql<Role>`role`.as('role'), 'status'])
    .where('id', 'in', ids)
    .where('status', '<>', 'erased')
    .orderBy(sql`role <> 'admin'`)
    .orderBy('id')
    .forShare()
    .execute()
}

export type NewImpersonation = {
  id: string
  user_id: string
  actor_user_id: string
  parent_session_id: string
  authenticated_at: Date
  reason: string
  ip: string
  user_agent: string | null
  started_at: Date
  expires_at: Date
}

export async function insertImpersonation(tx: TenantTx, { started_at, ...impersonation }: NewImpersonation) {
  await tx
    .insertInto('identity.sessions')
    .values({
      ...impersonation,
      kind: 'impersonation',
      auth_method: 'impersonation',
      last_seen_at: started_at,
      idle_expires_at: impersonation.expires_at,
    })
    .execute()
}
