import type { Config } from '#platform/config'
import type { TenantTx } from '#platform/db'
import { readSettings } from '../settings/settings.queries.ts'
import type { Providers } from './auth.schemas.ts'

/** How one can get in here: what a sign-in page has to know before anybody has signed in. */
export async function listProviders(tx: TenantTx, config: GoogleClient): Promise<Providers> {
  const sso = await readSettings(tx, 'sso')
  const { policy } = await readSettings(tx, 'signup')
  return {
    providers: [
      {
        name: 'google',
        display_name: 'Google',
        enabled: isGoogleSetUp(sso.google, config),
        start_url: '/api/auth/sso/google',
      },
      { name: 'okta', display_name: 'Okta', enabled: isOktaSetUp(sso.okta), start_url: '/api/auth/sso/okta' },
    ],
    // Admins keep their password where everybody else must use single sign-on.
    password_login: true,
    sso_enforced: sso.enforced,
    signup: policy,
  }
}

type GoogleClient = Pick<Config, 'GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET'>

export const hasGoogleClient = (config: GoogleClient): boolean =>
  Boolean(config.GOOGLE_CLIENT_ID && config.GOOGLE_CLIENT_SECRET)

/** The workspace wants it, and the installation has a client there. */
export const isGoogleSetUp = (google: { enabled: boolean }, config: GoogleClient): boolean =>
  google.enabled && hasGoogleClient(config)

type Okta = { enabled: boolean; issuer: string | null; client_id: string | null }

const isOktaSetUp = ({ enabled, issuer, client_id }: Okta) => enabled && issuer !== null && client_id !== null
