import { conflict, type InputError } from '#platform/errors'
import { isPublicMailDomain } from './public-mail.rules.ts'
import type { AiSettings, GeneralSettings, SignupSettings, SsoSettings } from './settings.schemas.ts'

type HasSecret = (path: string) => boolean

const at = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })

/** What is wrong with a section although each of its fields is well formed. */
export function problemsIn(section: string, settings: object, hasSecret: HasSecret): InputError[] {
  if (section === 'general') return problemsInGeneral(settings as GeneralSettings)
  if (section === 'signup') return problemsInSignup(settings as SignupSettings)
  if (section === 'sso') return problemsInSso(settings as SsoSettings, hasSecret)
  if (section === 'ai') return problemsInAi(settings as AiSettings, hasSecret)
  return []
}

function problemsInGeneral({ timezone, currency }: GeneralSettings): InputError[] {
  const problems: InputError[] = []
  if (!isTimeZone(timezone))
    problems.push(at('/general/timezone', 'unknown', 'Name an IANA time zone, such as Europe/Berlin.'))
  if (!isCurrency(currency))
    problems.push(at('/general/currency', 'unknown', 'Name a currency by its ISO 4217 code, such as EUR.'))
  return problems
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (code: string): boolean => currencies.has(code)

export function isTimeZone(name: string): boolean {
  try {
    // A fixed offset such as +02:00 is no place: it knows nothing of summer time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

function problemsInSignup({ policy, allowed_email_domains }: SignupSettings): InputError[] {
  const problems = allowed_email_domains.flatMap((domain, index) =>
    isPublicMailDomain(domain)
      ? [
          at(
            `/signup/allowed_email_domains/${index}`,
            'public_mail_provider',
            `Anyone can have an address at ${domain}.`,
          ),
        ]
      : [],
  )
  if (policy === 'domain' && !allowed_email_domains.length)
    problems.push(at('/signup/allowed_email_domains', 'required', 'List the domains whose people may sign up.'))
  return problems
}

function problemsInSso({ okta }: SsoSettings, hasSecret: HasSecret): InputError[] {
  if (!okta.enabled) return []
  const missing = [
    !okta.issuer && 'issuer',
    !okta.client_id && 'client_id',
    !hasSecret('okta.client_secret') && 'client_secret',
  ].filter((name) => name !== false)
  return missing.map((name) => at(`/sso/okta/${name}`, 'required', `Okta cannot be switched on without ${name}.`))
}

function problemsInAi({ provider, base_url, model }: AiSettings, hasSecret: HasSecret): InputError[] {
  if (provider === 'none') return []
  const missing = [
    provider === 'openai_compatible' && !base_url && 'base_url',
    !model && 'model',
    // A model server of one's own may ask for no key.
    provider === 'anthropic' && !hasSecret('api_key') && 'api_key',
  ].filter((name) => name !== false)
  return missing.map((name) =>
    at(`/ai/${name}`, 'required', `The provider ${provider} cannot be used without ${name}.`),
  )
}

type WaysIn = { hasGoogleClient: boolean; hasAdminWithPassword: boolean }

/** Nobody may be locked out: there must be a way in for everyone, and one for an admin should that way break. */
export function assertSsoCanBeEnforced(sso: SsoSettings, { hasGoogleClient, hasAdminWithPassword }: WaysIn): void {
  const { enforced, google, okta } = sso
  if (!enforced) return
  if (!google.enabled && !okta.enabled)
    throw conflict('conflict', 'Switch on Google or Okta before making single sign-on the only way in.')
  if (!okta.enabled && !hasGoogleClient)
    throw conflict('conflict', 'This installation is not set up for Google yet. Ask whoever runs it, or use Okta.')
  if (!hasAdminWithPassword)
    throw conflict('conflict', 'At least one active admin needs a password, in case single sign-on fails.')
}

export function assertCurrencyIsFree(hasAmounts: boolean): void {
  if (hasAmounts)
    throw conflict('currency_in_use', 'Amounts are stored in the present currency, so it can no longer be changed.')
}

const freshSeconds = 15 * 60

export const isFreshLogin = (authenticatedAt: Date | null, now: Date): boolean =>
  authenticatedAt !== null && now.getTime() - authenticatedAt.getTime() <= freshSeconds * 1_000
