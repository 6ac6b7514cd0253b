import { domainToUnicode } from 'node:url'
import disposableDomains from 'disposable-email-domains' with { type: 'json' }
import disposableParents from 'disposable-email-domains/wildcard.json' with { type: 'json' }
import { getDomain, getDomainWithoutSuffix, parse } from 'tldts'
import { emailDomainOf, isPublicEmailDomain } from '#modules/identity'

export type EmailKind = 'business' | 'free' | 'disposable'

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
