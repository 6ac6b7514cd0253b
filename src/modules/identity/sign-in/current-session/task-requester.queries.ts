import type { TenantTx } from '#platform/db'
import type { TaskRequester } from './auth.schemas.ts'

export function findRequesterStatus(tx: TenantTx, { userId, actorUserId, sessionId, apiKeyId }: TaskRequester) {
  return tx
    .selectFrom('identity.users as person')
    .leftJoin('identity.users as admin', (join) => join.on('admin.id', '=', actorUserId))
    .leftJoin('identity.api_keys as key', (join) => join.on('key.id', '=', apiKeyId))
    .leftJoin('identity.connected_apps as app', 'app.id', 'key.connected_app_id')
    .leftJoin('identity.sessions as session', (join) => join.on('session.id', '=', sessionId))
    .select(['person.status', 'person.role', 'admin.status as admin_status', 'admin.role as admin_role'])
    .select(['key.scopes', 'key.preset', 'key.revoked_at', 'key.expires_at', 'app.status as app_status'])
    .select(['session.revoked_at as session_revoked_at', 'session.expires_at as session_expires_at'])
    .select('session.idle_expires_at as session_idle_expires_at')
    .where('person.id', '=', userId)
    .executeTakeFirst()
}
