import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Workspace } from '#platform/http'
import type { Services } from '#platform/module'
import { isGoogleSetUp } from '../auth/providers.queries.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { readSecret } from '../settings/tenant-secrets.service.ts'
import { mainUrl, workspaceUrl } from '../tenants/tenants.rules.ts'
import type { ProviderName } from './sso.schemas.ts'

/** As whom we speak to a provider. */
export type ProviderClient = {
  provider: ProviderName
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
}

type Sources = Pick<Services, 'config' | 'secrets'>

/** Undefined when people cannot sign in through it here. */
export function findClient(
  tx: TenantTx,
  sources: Sources,
  { slug }: Workspace,
  provider: ProviderName,
): Promise<ProviderClient | undefined> {
  return provider === 'google' ? googleClient(tx, sources) : oktaClient(tx, sources, slug)
}

/** One client for the whole installation. */
async function googleClient(tx: TenantTx, { config }: Sources): Promise<ProviderClient | undefined> {
  const { google } = await readSettings(tx, 'sso')
  if (!isGoogleSetUp(google, config)) return undefined
  return {
    provider: 'google',
    issuer: config.GOOGLE_ISSUER,
    clientId: config.GOOGLE_CLIENT_ID!,
    clientSecret: config.GOOGLE_CLIENT_SECRET!,
    redirectUri: config.GOOGLE_REDIRECT_URI ?? mainUrl(config, '/api/auth/sso/google/callback'),
  }
}

/** Each workspace has its own. */
async function oktaClient(tx: TenantTx, { config, secrets }: Sources, slug: string) {
  const { okta } = await readSettings(tx, 'sso')
  if (!okta.enabled || !okta.issuer || !okta.client_id) return undefined
  const clientSecret = await readSecret(tx, secrets, 'sso.okta.client_secret')
  if (!clientSecret) return undefined
  return {
    provider: 'okta' as const,
    issuer: okta.issuer,
    clientId: okta.client_id,
    clientSecret,
    redirectUri: workspaceUrl(config, slug, '/api/auth/sso/okta/callback'),
  }
}

export const notConfigured = () =>
  new AppError(404, 'sso_not_configured', 'Nobody signs in through this provider here. An admin can set it up.')
