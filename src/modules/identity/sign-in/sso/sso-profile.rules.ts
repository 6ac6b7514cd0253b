import { AppError, unauthenticated } from '#platform/errors'
import type { ProviderName } from '../../credentials/oidc/provider-clients.service.ts'
import { emailDomainOf } from '../../workspace/settings/settings.rules.ts'
import type { SignupSettings, SsoSettings } from '../../workspace/settings/settings.schemas.ts'
import { type PublicUrlConfig, workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'

export type SsoProfile = {
  subject: string
  email: string | null
  /** A missing claim counts as not verified. */
  isEmailVerified: boolean
  name: string
  hostedDomain: string | null
  authenticatedAt: Date | null
}

const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const unprintable = /[\p{Cc}\p{Cs}]/gu

/** Returns undefined if the subject is missing or malformed. */
export function parseSsoProfile(claims: Record<string, unknown>): SsoProfile | undefined {
  const { sub, hd, auth_time } = claims
  if (typeof sub !== 'string' || sub.length < 1 || sub.length > 255 || sub.search(unprintable) >= 0) return undefined
  const email = parseEmail(claims.email)
  return {
    subject: sub,
    email,
    isEmailVerified: claims.email_verified === true,
    name: parseName(claims.name) || parseName(email?.split('@')[0] ?? sub),
    hostedDomain: typeof hd === 'string' ? hd.toLowerCase() : null,
    authenticatedAt: typeof auth_time === 'number' ? new Date(auth_time * 1_000) : null,
  }
}

function parseEmail(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 254 || !emailPattern.test(value)) return null
  return /^\.|\.\.|\.@/.test(value) ? null : value
}

function parseName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const text = value.slice(0, 1_000).replace(unprintable, ' ').trim()
  return [...text].slice(0, 120).join('').trim()
}

export const isHostedDomainAllowed = (provider: ProviderName, { hostedDomain }: SsoProfile, { google }: SsoSettings) =>
  provider !== 'google' ||
  google.allowed_hosted_domains.length === 0 ||
  (hostedDomain !== null && google.allowed_hosted_domains.includes(hostedDomain))

/** Google verifies an address of another provider once; only Gmail and Workspace addresses prove who owns them now. */
export function isEmailTrusted(provider: ProviderName, profile: SsoProfile, { google, okta }: SsoSettings): boolean {
  const { email, isEmailVerified, hostedDomain } = profile
  if (provider === 'okta') return isEmailVerified || okta.trust_unverified_email
  if (!isEmailVerified || !email) return false
  const domain = emailDomainOf(email)
  if (gmailDomains.has(domain)) return true
  // A Google Workspace account can have an email address in a secondary domain of its organization.
  return hostedDomain !== null && (hostedDomain === domain || google.allowed_hosted_domains.includes(hostedDomain))
}

const gmailDomains = new Set(['gmail.com', 'googlemail.com'])

/** Anyone can create a Google account; Okta accounts are created by the organization itself. */
export function isProvisioningAllowed(
  provider: ProviderName,
  email: string,
  { google }: SsoSettings,
  { allowed_email_domains: domains }: SignupSettings,
): boolean {
  if (domains.length > 0) return domains.includes(emailDomainOf(email))
  return provider !== 'google' || google.allowed_hosted_domains.length > 0
}

/** Google does not send auth_time, so its callback alone counts as authentication. */
export const isAuthenticatedSince = (provider: ProviderName, { authenticatedAt }: SsoProfile, since: Date) =>
  authenticatedAt ? authenticatedAt.getTime() >= since.getTime() - 30_000 : provider === 'google'

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
