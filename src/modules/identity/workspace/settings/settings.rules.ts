import { isTimeZone } from '#platform/calendar'
import { conflict, type InputError } from '#platform/errors'
import { isCurrency } from '#platform/money'
import { isPublicEmailDomain } from './public-email.rules.ts'
import type { AiSettings, GeneralSettings, SignupSettings, SsoSettings } from './settings.schemas.ts'

type HasSecret = (path: string) => boolean

const inputErrorAt = (path: string, code: string, message: string): InputError => ({ in: 'body', path, code, message })

export function findSectionErrors(section: string, settings: object, hasSecret: HasSecret): InputError[] {
  if (section === 'general') return findGeneralErrors(settings as GeneralSettings)
  if (section === 'signup') return findSignupErrors(settings as SignupSettings)
  if (section === 'sso') return findSsoErrors(settings as SsoSettings, hasSecret)
  if (section === 'ai') return findAiErrors(settings as AiSettings, hasSecret)
  return []
}

function findGeneralErrors({ timezone, currency }: GeneralSettings): InputError[] {
  const errors: InputError[] = []
  if (!isTimeZone(timezone))
    errors.push(
      inputErrorAt('/general/timezone', 'unknown', '`timezone` must be an IANA time zone such as Europe/Berlin.'),
    )
  if (!isCurrency(currency))
    errors.push(inputErrorAt('/general/currency', 'unknown', '`currency` must be an ISO 4217 code such as EUR.'))
  return errors
}

function findSignupErrors({ policy, allowed_email_domains }: SignupSettings): InputError[] {
  const errors = allowed_email_domains.flatMap((domain, index) =>
    isPublicEmailDomain(domain)
      ? [
          inputErrorAt(
            `/signup/allowed_email_domains/${index}`,
            'public_mail_provider',
            `${domain} is a public email provider and cannot be an allowed domain.`,
          ),
        ]
      : [],
  )
  if (policy === 'domain' && !allowed_email_domains.length)
    errors.push(
      inputErrorAt(
        '/signup/allowed_email_domains',
        'required',
        '`allowed_email_domains` is required for the policy `domain`.',
      ),
    )
  return errors
}

function findSsoErrors({ okta }: SsoSettings, hasSecret: HasSecret): InputError[] {
  if (!okta.enabled) return []
  const missing = [
    !okta.issuer && 'issuer',
    !okta.client_id && 'client_id',
    !hasSecret('okta.client_secret') && 'client_secret',
  ].filter((name) => name !== false)
  return missing.map((name) => inputErrorAt(`/sso/okta/${name}`, 'required', `\`${name}\` is required to enable Okta.`))
}

/** Anyone can create a Google account, so provisioning with Google needs a list of domains. */
export function findProvisioningErrors(
  { jit_provisioning, google }: SsoSettings,
  signup: SignupSettings,
): InputError[] {
  const hasDomains = google.allowed_hosted_domains.length > 0 || signup.allowed_email_domains.length > 0
  if (!jit_provisioning || !google.enabled || hasDomains) return []
  return [
    inputErrorAt(
      '/sso/jit_provisioning',
      'domains_required',
      '`jit_provisioning` with Google requires `google.allowed_hosted_domains` or `signup.allowed_email_domains`.',
    ),
  ]
}

function findAiErrors({ provider, base_url, model }: AiSettings, hasSecret: HasSecret): InputError[] {
  if (provider === 'none') return []
  const missing = [
    provider === 'openai_compatible' && !base_url && 'base_url',
    !model && 'model',
    // A self-hosted model server may need no key.
    provider === 'anthropic' && !hasSecret('api_key') && 'api_key',
  ].filter((name) => name !== false)
  return missing.map((name) =>
    inputErrorAt(`/ai/${name}`, 'required', `\`${name}\` is required for the provider ${provider}.`),
  )
}

type SignInOptions = { hasGoogleClient: boolean; hasAdminWithPassword: boolean }

/** Prevents a lockout: users need a working provider, and one admin needs a password in case it fails. */
export function assertSsoCanBeEnforced(
  sso: SsoSettings,
  { hasGoogleClient, hasAdminWithPassword }: SignInOptions,
): void {
  const { enforced, google, okta } = sso
  if (!enforced) return
  if (!google.enabled && !okta.enabled)
    throw conflict('conflict', 'Single sign-on cannot be enforced without a provider. Enable Google or Okta first.')
  if (!okta.enabled && !hasGoogleClient)
    throw conflict(
      'conflict',
      'This installation is not set up for Google. Ask the operator to configure it, or use Okta.',
    )
  if (!hasAdminWithPassword)
    throw conflict(
      'conflict',
      'Single sign-on cannot be enforced until an active admin has a password, in case the provider fails.',
    )
}

export function assertCurrencyChangeable(hasAmounts: boolean): void {
  if (hasAmounts) throw conflict('currency_in_use', '`currency` cannot be changed because quotas are stored in it.')
}
