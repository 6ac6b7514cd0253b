import { AppError, unauthenticated } from '#platform/errors'
import { findCookie, formatCookie } from '#platform/http'
import { type PublicUrlConfig, workspaceUrl } from '../tenants/tenants.rules.ts'

export type SsoError =
  | 'access_denied'
  | 'flow_expired'
  | 'provider_error'
  | 'email_unverified'
  | 'domain_not_allowed'
  | 'account_not_found'
  | 'account_disabled'

export const flowTtlSeconds = 600
export const codeTtlSeconds = 60
const cookieTtlSeconds = 660

type WorkspaceUrlContext = { config: PublicUrlConfig; slug: string }

/** The code is in the URL fragment, which is not sent to servers. */
export const completionUrl = ({ config, slug }: WorkspaceUrlContext, code: string, returnTo: string): string =>
  workspaceUrl(config, slug, `/auth/complete#code=${code}&return_to=${encodeURIComponent(returnTo)}`)

export const failureUrl = ({ config, slug }: WorkspaceUrlContext, error: SsoError): string =>
  workspaceUrl(config, slug, `/login#sso_error=${error}`)

/** One cookie per flow, so that tabs do not interfere. Uses the random end of the id; its beginning is a timestamp. */
const cookieName = ({ APP_SCHEME }: PublicUrlConfig, flowId: string): string =>
  `${APP_SCHEME === 'https' ? '__Host-' : ''}sso_${flowId.slice(-8)}`

const formatFlowCookie = (config: PublicUrlConfig, flowId: string, value: string, maxAgeSeconds: number): string =>
  formatCookie({
    name: cookieName(config, flowId),
    value,
    maxAgeSeconds,
    sameSite: 'Lax',
    isSecure: config.APP_SCHEME === 'https',
  })

/** Binds the flow to the browser that started it. */
export const browserCookie = (config: PublicUrlConfig, flowId: string, secret: string): string =>
  formatFlowCookie(config, flowId, secret, cookieTtlSeconds)

export const expiredCookie = (config: PublicUrlConfig, flowId: string): string =>
  formatFlowCookie(config, flowId, '', 0)

export const readBrowserSecret = (
  cookies: string | undefined,
  config: PublicUrlConfig,
  flowId: string,
): string | undefined => findCookie(cookies, cookieName(config, flowId))

export const invalidSsoState = () =>
  new AppError(400, 'sso_state_invalid', 'The sign-in request is invalid or has expired. Please start again.')

export const invalidSsoCode = () =>
  unauthenticated('invalid_code', 'The code is invalid, expired or already used. Start the sign-in again.')
