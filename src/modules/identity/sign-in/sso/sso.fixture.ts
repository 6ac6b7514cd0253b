import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startIdentityProvider, startTestApp } from '#testing'
import { fragmentOf, openBrowser } from './browser.fixture.ts'

type App = Awaited<ReturnType<typeof startTestApp>>
export type SsoTenant = Awaited<ReturnType<App['tenant']>>
type OktaClient = { issuer: string; client: { id: string; secret: string } }

const slug = 'acme-sso'

export async function startSignOnApp(environment: Record<string, string> = {}) {
  const google = await startIdentityProvider({ redirectUris: [callbackUrl('tributary.test', 'google')] })
  const okta = await startIdentityProvider({ redirectUris: [callbackUrl(`${slug}.tributary.test`, 'okta')] })
  after(async () => {
    await google.stop()
    await okta.stop()
  })
  const app = await startTestApp({
    SAFE_FETCH_ALLOW_PRIVATE: 'true',
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: google.client.id,
    GOOGLE_CLIENT_SECRET: google.client.secret,
    ...environment,
  })
  const acme = await app.tenant({ slug })
  await enableGoogle(acme)
  await enableOkta(acme, okta)
  const startUrl = (provider: 'google' | 'okta', query = '') => `https://${acme.host}/api/auth/sso/${provider}${query}`
  return { ...app, google, okta, acme, startUrl, newBrowser: () => openBrowser(app) }
}

const callbackUrl = (host: string, provider: string) => `https://${host}/api/auth/sso/${provider}/callback`

export async function enableGoogle({ admin }: SsoTenant): Promise<void> {
  await patchSsoSettings(admin, { google: { enabled: true } })
}

export async function enableOkta({ admin }: SsoTenant, { issuer, client }: OktaClient): Promise<void> {
  await patchSsoSettings(admin, { okta: { enabled: true, issuer, client_id: client.id, client_secret: client.secret } })
}

export async function patchSsoSettings(admin: SsoTenant['admin'], sso: object, others: object = {}): Promise<void> {
  const { status, text } = await admin.patch('/api/admin/settings', { sso, ...others })
  assert.equal(status, 200, text)
}

export async function countSessions({ id, sql }: SsoTenant, method: string): Promise<number> {
  const { rows } = await sql(
    'select count(*)::int as n from identity.sessions where tenant_id = $1 and auth_method = $2',
    [id, method],
  )
  return rows[0].n
}

export const ssoErrorOf = (url: URL) => {
  assert.equal(url.pathname, '/login')
  return fragmentOf(url).sso_error
}
