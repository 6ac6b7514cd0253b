import { AppError, unauthenticated } from '#platform/errors'
import { type PublicAddress, workspaceUrl } from '../tenants/tenants.rules.ts'

/** Why a sign-on came to nothing, in the words the sign-in page knows. */
export type SsoError =
  | 'access_denied'
  | 'flow_expired'
  | 'provider_error'
  | 'email_unverified'
  | 'domain_not_allowed'
  | 'account_not_found'
  | 'account_disabled'

export const flowSeconds = 600
export const codeSeconds = 60
const cookieSeconds = 660

type Place = { config: PublicAddress; slug: string }

/** Behind the #, where neither server nor proxy nor log gets to see it. */
export const completionUrl = ({ config, slug }: Place, code: string, returnTo: string): string =>
  workspaceUrl(config, slug, `/auth/complete#code=${code}&return_to=${encodeURIComponent(returnTo)}`)

export const failureUrl = ({ config, slug }: Place, error: SsoError): string =>
  workspaceUrl(config, slug, `/login#sso_error=${error}`)

/** One for each sign-on, so that two tabs do not get in each other's way. The end of an id is chance, its beginning is time. */
const cookieName = ({ APP_SCHEME }: PublicAddress, flowId: string): string =>
  `${APP_SCHEME === 'https' ? '__Host-' : ''}sso_${flowId.slice(-8)}`

const cookie = (config: PublicAddress, flowId: string, value: string, maxAge: number): string =>
  `${cookieName(config, flowId)}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${
    config.APP_SCHEME === 'https' ? '; Secure' : ''
  }`

/** Tells the browser that starts a sign-on apart from all others. */
export const browserCookie = (config: PublicAddress, flowId: string, secret: string): string =>
  cookie(config, flowId, secret, cookieSeconds)

export const spentCookie = (config: PublicAddress, flowId: string): string => cookie(config, flowId, '', 0)

export function secretIn(cookies: string | undefined, config: PublicAddress, flowId: string): string | undefined {
  const start = `${cookieName(config, flowId)}=`
  const found = (cookies ?? '').split(';').find((one) => one.trim().startsWith(start))
  return found?.trim().slice(start.length)
}

export const stateInvalid = () =>
  new AppError(400, 'sso_state_invalid', 'No sign-on of ours led here, or its time is over. Start again.')

export const invalidCode = () =>
  unauthenticated('invalid_code', 'This code cannot be used, or not any more. Start the sign-on again.')
