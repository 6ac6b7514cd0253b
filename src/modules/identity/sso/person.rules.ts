import type { SignupSettings, SsoSettings } from '../settings/settings.schemas.ts'
import type { ProviderName } from './sso.schemas.ts'

/** Whom a provider vouches for. */
export type Person = {
  subject: string
  email: string | null
  /** Whether the provider says so. Saying nothing is not saying yes. */
  isEmailVerified: boolean
  name: string
  /** The Google Workspace the account belongs to. */
  hostedDomain: string | null
  /** When the person last proved to the provider who they are. */
  authenticatedAt: Date | null
}

const address = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const unprintable = /[\p{Cc}\p{Cs}]/gu

/** Undefined when the subject is nothing one could know somebody by. */
export function personIn(claims: Record<string, unknown>): Person | undefined {
  const { sub, hd, auth_time } = claims
  if (typeof sub !== 'string' || sub.length < 1 || sub.length > 255 || sub.search(unprintable) >= 0) return undefined
  const email = addressIn(claims.email)
  return {
    subject: sub,
    email,
    isEmailVerified: claims.email_verified === true,
    name: nameIn(claims.name) || nameIn(email?.split('@')[0] ?? sub),
    hostedDomain: typeof hd === 'string' ? hd.toLowerCase() : null,
    authenticatedAt: typeof auth_time === 'number' ? new Date(auth_time * 1_000) : null,
  }
}

function addressIn(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > 254 || !address.test(given)) return null
  return /^\.|\.\.|\.@/.test(given) ? null : given
}

function nameIn(given: unknown): string {
  if (typeof given !== 'string') return ''
  const text = given.slice(0, 1_000).replace(unprintable, ' ').trim()
  return [...text].slice(0, 120).join('').trim()
}

/** Google accounts can be limited to those a company manages. */
export const isFromAllowedDomain = (provider: ProviderName, { hostedDomain }: Person, { google }: SsoSettings) =>
  provider !== 'google' ||
  google.allowed_hosted_domains.length === 0 ||
  (hostedDomain !== null && google.allowed_hosted_domains.includes(hostedDomain))

/** Whether the address may be believed to be theirs. */
export const isAddressProven = (provider: ProviderName, { isEmailVerified }: Person, { okta }: SsoSettings) =>
  isEmailVerified || (provider === 'okta' && okta.trust_unverified_email)

/** Whether an account may be made for the address at the first sign-on. */
export const mayJoin = (email: string, { allowed_email_domains: domains }: SignupSettings) =>
  domains.length === 0 || domains.includes(email.toLowerCase().split('@').at(-1)!)

/** Google never tells when somebody proved who they are; there, coming back is all there is. */
export const isProvenSince = (provider: ProviderName, { authenticatedAt }: Person, since: Date) =>
  authenticatedAt ? authenticatedAt.getTime() >= since.getTime() - 30_000 : provider === 'google'
