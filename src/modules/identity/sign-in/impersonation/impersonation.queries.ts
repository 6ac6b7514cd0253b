import { sql } from 'kysely'
import type { Role } from '#platform/access'
import type { TenantTx } from '#platform/db'

/**
 * Blocks deactivation and role changes until the transaction ends. Lock order as in user updates: admins first, then by id.
 * Shared, so that two admins who impersonate each other do not deadlock.
 */
export function lockUsersShared(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('identity.users')
    .select(['id', 'email', 'name', sql<Role>`role`.as('role'), 'status'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '<>', 'erased')
    .orderBy(sql`role <> 'admin'`)
    .orderBy('id')
    .forShare()
    .execute()
}

export type NewImpersonationSession = {
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

export async function insertImpersonationSession(
  tx: TenantTx,
  { started_at, ...impersonation }: NewImpersonationSession,
) {
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
