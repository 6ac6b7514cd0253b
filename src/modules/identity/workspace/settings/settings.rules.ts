import { isTimeZone } from '#platform/calendar'
import type { Config } from '#platform/config'
import { type Egress, toUrlInputError } from '#platform/egress'
import { conflict, type InputError } from '#platform/errors'
import type { SettingsSection } from '#platform/module'
import { isCurrency } from '#platform/money'
import { flattenTree } from './section-changes.ts'
import type { AiSettings, GeneralSettings, SignupSettings, SsoSettings } from './settings.schemas.ts'

const providersPerCountry = /^(?:yahoo|hotmail|outlook|live|gmx|yandex|ymail|rocketmail)\.[a-z]{2,3}(?:\.[a-z]{2})?$/

const providers = new Set(
  `gmail.com googlemail.com msn.com icloud.com me.com mac.com aol.com aim.com mail.com mail.ru bk.ru inbox.ru list.ru
  rambler.ru ya.ru proton.me protonmail.com protonmail.ch pm.me tutanota.com tutamail.com tuta.io tuta.com zoho.com zohomail.com
  fastmail.com fastmail.fm hey.com hushmail.com posteo.de mailbox.org web.de freenet.de t-online.de arcor.de online.de
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr libero.it virgilio.it tiscali.it alice.it tin.it terra.com.br
  uol.com.br bol.com.br ig.com.br seznam.cz centrum.cz wp.pl o2.pl onet.pl interia.pl ziggo.nl kpnmail.nl telenet.be skynet.be
  bluewin.ch comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net btinternet.com
  sky.com talktalk.net virginmedia.com ntlworld.com rogers.com shaw.ca sympatico.ca bigpond.com optusnet.com.au xtra.co.nz
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sohu.com aliyun.com naver.com hanmail.net daum.net nate.com
  rediffmail.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp`.split(/\s+/),
)

/** Anyone can register there, so a shared domain does not mean a shared company. */
export const isPublicEmailDomain = (domain: string): boolean =>
  providers.has(domain) || providersPerCountry.test(domain)

export const emailDomainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Allows the email domain of the first admin to sign up, unless it belongs to a public email provider. */
export function defaultSignupSettings(adminEmail: string, requestedPolicy?: 'closed' | 'domain' | 'open') {
  const domain = emailDomainOf(adminEmail)
  const isCompanyDomain = !isPublicEmailDomain(domain)
  const policy = requestedPolicy ?? (isCompanyDomain ? 'domain' : 'closed')
  const allowed_email_domains = policy === 'domain' && isCompanyDomain ? [domain] : []
  return { policy, allowed_email_domains, ...(requestedPolicy === 'open' && { require_verified_email: false }) }
}

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

export type GoogleClient = Pick<Config, 'GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET'>

export const hasGoogleClient = (config: GoogleClient): boolean =>
  Boolean(config.GOOGLE_CLIENT_ID && config.GOOGLE_CLIENT_SECRET)

export const isGoogleConfigured = (google: { enabled: boolean }, config: GoogleClient): boolean =>
  google.enabled && hasGoogleClient(config)

type SchemaNode = { format?: string; properties?: Record<string, SchemaNode>; anyOf?: SchemaNode[] }
type ChangedSection = { section: SettingsSection; after: Record<string, unknown>; changed: string[] }

/** Checks changed URLs only: one that was stored before must not block other changes of its section. */
export function findUrlErrors(
  { section, after, changed }: ChangedSection,
  egress: Pick<Egress, 'findUrlProblem'>,
): InputError[] {
  const values = flattenTree(after)
  return changed.flatMap((path) => {
    const value = values.get(path)
    const names = path.split('.')
    if (typeof value !== 'string' || !isUrlField(section.schema as SchemaNode, names)) return []
    const problem = egress.findUrlProblem(value)
    return problem ? [toUrlInputError(problem, `/${[section.name, ...names].join('/')}`)] : []
  })
}

function isUrlField(schema: SchemaNode | undefined, [name, ...rest]: string[]): boolean {
  if (name !== undefined) return isUrlField(schema?.properties?.[name], rest)
  return schema?.format === 'uri' || (schema?.anyOf ?? []).some(({ format }) => format === 'uri')
}
