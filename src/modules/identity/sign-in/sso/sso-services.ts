import { findCookie, formatCookie } from '#platform/http'
import type { Services } from '#platform/module'
import { createOidcClient, type OidcClient } from '../../credentials/oidc/oidc.client.ts'
import { type AuthServices, createAuthServices } from '../../credentials/tokens/auth-services.ts'
import type { PublicUrlConfig } from '../../workspace/tenants/tenants.rules.ts'

export type SsoServices = AuthServices & Pick<Services, 'secrets' | 'egress'> & { oidc: OidcClient }

export const createSsoServices = (services: Services): SsoServices => ({
  ...createAuthServices(services),
  secrets: services.secrets,
  egress: services.egress,
  oidc: createOidcClient(services),
})

const cookieTtlSeconds = 660

/** One cookie per flow, so that tabs do not interfere. Uses the random end of the id; its beginning is a timestamp. */
const cookieKeyOf = ({ APP_SCHEME }: PublicUrlConfig, flowId: string) => ({
  name: `sso_${flowId.slice(-8)}`,
  isSecure: APP_SCHEME === 'https',
})

const formatFlowCookie = (config: PublicUrlConfig, flowId: string, value: string, maxAgeSeconds: number): string =>
  formatCookie({ ...cookieKeyOf(config, flowId), value, maxAgeSeconds, sameSite: 'Lax' })

/** Binds the flow to the browser that started it. */
export const browserCookie = (config: PublicUrlConfig, flowId: string, secret: string): string =>
  formatFlowCookie(config, flowId, secret, cookieTtlSeconds)

export const expiredCookie = (config: PublicUrlConfig, flowId: string): string =>
  formatFlowCookie(config, flowId, '', 0)

export const readBrowserSecret = (
  cookies: string | undefined,
  config: PublicUrlConfig,
  flowId: string,
): string | undefined => findCookie(cookies, cookieKeyOf(config, flowId))
