import type { TenantTx } from '#platform/db'

/** Where somebody is signed in, the latest first. What admins do in their name is not theirs, and not among it. */
export function listLiveSessions(tx: TenantTx, userId: string, now: Date) {
  return tx
    .selectFrom('identity.sessions')
    .select(['id', 'auth_method', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'user')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** False when the session has ended meanwhile. */
export async function renewAuthentication(tx: TenantTx, sessionId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('identity.sessions')
    .set({ authenticated_at: at })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
