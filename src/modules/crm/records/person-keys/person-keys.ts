import { domainToUnicode } from 'node:url'
import disposableDomains from 'disposable-email-domains' with { type: 'json' }
import disposableParents from 'disposable-email-domains/wildcard.json' with { type: 'json' }
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { getDomain, getDomainWithoutSuffix, parse } from 'tldts'
import { emailDomainOf, isPublicEmailDomain } from '#modules/identity'
import { toSearchText } from '#platform/db'

type EmailKind = 'business' | 'free' | 'disposable'

const disposable = new Set(disposableDomains)
const disposableParentDomains = new Set(disposableParents)

export function emailKindOf(email: string | null | undefined): EmailKind | null {
  if (!email) return null
  const domain = emailDomainOf(email)
  if (disposable.has(domain) || disposableParentDomains.has(getDomain(domain) ?? domain)) return 'disposable'
  return isPublicEmailDomain(domain) ? 'free' : 'business'
}

export function companyDomainOf({ website, email }: { website?: string | null; email?: string | null }): string | null {
  const websiteDomain = website ? getDomain(website) : null
  if (websiteDomain) return websiteDomain.toLowerCase()
  if (!email || emailKindOf(email) !== 'business') return null
  return getDomain(emailDomainOf(email))?.toLowerCase() ?? null
}

/** Returns the part of a domain that names the company: acme-corp of acme-corp.co.uk. */
export function companyLabelOf(domain: string): string | null {
  const label = getDomainWithoutSuffix(domain)
  return label ? domainToUnicode(label) || null : null
}

/** True for a host below a top-level domain of the internet, which most words with a full stop inside are not. */
export function isInternetDomain(host: string): boolean {
  const { domain, isIcann } = parse(host)
  return domain !== null && isIcann === true
}

const legalForms = new Set('inc ltd llc gmbh ag sa sas bv plc co corp oy ab srl spa'.split(' '))

export function nameKey(first: string | null | undefined, last?: string | null): string | null {
  return toSearchText(first, last) || null
}

/** Normalizes a company name without its legal form, unless the name consists of nothing else. */
export function companyKey(company: string | null | undefined): string | null {
  const whole = toSearchText(company)
  const words = whole
    .replace(/[.,]/g, (mark) => (mark === '.' ? '' : ' '))
    .split(' ')
    .filter(Boolean)
  const core = words.filter((word) => !legalForms.has(word))
  return (core.length ? core : words).join(' ') || whole || null
}

/** Without a country, only a number with a leading plus can be parsed. */
export function phoneE164(phone: string | null | undefined, country?: string | null): string | null {
  if (!phone) return null
  const parsed = parsePhoneNumberFromString(phone, (country ?? undefined) as CountryCode | undefined)
  return parsed?.isPossible() ? parsed.number : null
}

/** Null for a number without a leading plus and for prefixes that several countries share. */
export const phoneCountryOf = (phone: string): string | null => parsePhoneNumberFromString(phone)?.country ?? null

type SearchablePerson = {
  name?: string | null
  company?: string | null
  title?: string | null
  email?: string | null
  phone?: string | null
  phone_e164?: string | null
  more?: readonly (string | null | undefined)[]
}

/** Builds the search text. The leading space allows word-prefix matches on the first word too. */
export function personSearchText({
  name,
  company,
  title,
  email,
  phone,
  phone_e164,
  more = [],
}: SearchablePerson): string {
  const digits = phone?.replace(/\D/g, '')
  const e164Digits = phone_e164?.slice(1)
  return ` ${toSearchText(name, company, title, email, digits, e164Digits === digits ? null : e164Digits, ...more)}`
}
