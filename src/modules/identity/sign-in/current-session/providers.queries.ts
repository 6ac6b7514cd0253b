import type { TenantTx } from '#platform/db'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { type GoogleClient, isGoogleConfigured } from '../../workspace/settings/settings.rules.ts'
import type { SsoProviders } from './auth.schemas.ts'

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
