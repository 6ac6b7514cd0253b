import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Workspace } from '#platform/http'
import type { Services } from '#platform/module'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { isGoogleConfigured } from '../../workspace/settings/settings.rules.ts'
import { readSecret } from '../../workspace/settings/tenant-secrets.service.ts'
import { mainDomainUrl, workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'

export const providerNames = ['google', 'okta'] as const
export type ProviderName = (typeof providerNames)[number]

export type ProviderClient = {
  provider: ProviderName
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
}

type ProviderClientServices = Pick<Services, 'config' | 'secrets'>

export function findProviderClient(
  tx: TenantTx,
  services: ProviderClientServices,
  { slug }: Workspace,
  provider: ProviderName,
): Promise<ProviderClient | undefined> {
  return provider === 'google' ? googleClient(tx, services) : oktaClient(tx, services, slug)
}

/** All workspaces share the client of the installation. */
async function googleClient(tx: TenantTx, { config }: ProviderClientServices): Promise<ProviderClient | undefined> {
  const { google } = await readSettings(tx, 'sso')
  if (!isGoogleConfigured(google, config)) return undefined
  return {
    provider: 'google',
    issuer: config.GOOGLE_ISSUER,
    clientId: config.GOOGLE_CLIENT_ID!,
    clientSecret: config.GOOGLE_CLIENT_SECRET!,
    redirectUri: config.GOOGLE_REDIRECT_URI ?? mainDomainUrl(config, '/api/auth/sso/google/callback'),
  }
}

async function oktaClient(tx: TenantTx, { config, secrets }: ProviderClientServices, slug: string) {
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

export const ssoNotConfigured = () =>
  new AppError(
    404,
    'sso_not_configured',
    'This provider is not configured for this workspace. An admin can configure it in the settings.',
  )
