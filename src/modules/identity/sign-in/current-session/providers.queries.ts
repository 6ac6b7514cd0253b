import type { TenantTx } from '#platform/db'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { type GoogleClient, isGoogleConfigured } from '../../workspace/settings/settings.rules.ts'
import type { SsoProviders, TaskRequester } from './auth.schemas.ts'

export async function listSsoProviders(tx: TenantTx, config: GoogleClient): Promise<SsoProviders> {
  const sso = await readSettings(tx, 'sso')
  const { policy } = await readSettings(tx, 'signup')
  return {
    providers: [
      {
        name: 'google',
        display_name: 'Google',
        enabled: isGoogleConfigured(sso.google, config),
        start_url: '/api/auth/sso/google',
      },
      { name: 'okta', display_name: 'Okta', enabled: isOktaConfigured(sso.okta), start_url: '/api/auth/sso/okta' },
    ],
    // Admins can sign in with a password even if single sign-on is enforced.
    password_login: true,
    sso_enforced: sso.enforced,
    signup: policy,
  }
}

type Okta = { enabled: boolean; issuer: string | null; client_id: string | null }

const isOktaConfigured = ({ enabled, issuer, client_id }: Okta) => enabled && issuer !== null && client_id !== null

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
