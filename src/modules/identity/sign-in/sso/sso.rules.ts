import { AppError, unauthenticated } from '#platform/errors'
import { type PublicUrlConfig, workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'

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

type WorkspaceUrlContext = { config: PublicUrlConfig; slug: string }

/** The code is in the URL fragment, which is not sent to servers. */
export const completionUrl = ({ config, slug }: WorkspaceUrlContext, code: string, returnTo: string): string =>
  workspaceUrl(config, slug, `/auth/complete#code=${code}&return_to=${encodeURIComponent(returnTo)}`)

export const failureUrl = ({ config, slug }: WorkspaceUrlContext, error: SsoError): string =>
  workspaceUrl(config, slug, `/login#sso_error=${error}`)

export const invalidSsoState = () =>
  new AppError(400, 'sso_state_invalid', 'The sign-in request is invalid or has expired. Please start again.')

export const invalidSsoCode = () =>
  unauthenticated('invalid_code', 'The code is invalid, expired or already used. Start the sign-in again.')
