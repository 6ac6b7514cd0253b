import type { TenantTx } from '#platform/db'
import { activeSessionsOf } from '../../workspace/sessions/sessions.queries.ts'

export function listActiveSessionRows(tx: TenantTx, userId: string, now: Date) {
  return activeSessionsOf(tx, userId, now)
    .select(['id', 'auth_method', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .execute()
}

export async function markReauthenticated(tx: TenantTx, sessionId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('identity.sessions')
    .set({ authenticated_at: at })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
