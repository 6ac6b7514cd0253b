import { createRequire } from 'node:module'
import { domainToUnicode } from 'node:url'
import { getDomain, getDomainWithoutSuffix } from 'tldts'
import { emailDomainOf, isPublicEmailDomain } from '#modules/identity'

export type EmailKind = 'business' | 'free' | 'disposable'

const require = createRequire(import.meta.url)
let disposableLists: { domains: ReadonlySet<string>; parents: ReadonlySet<string> } | undefined

export function emailKindOf(email: string | null | undefined): EmailKind | null {
  if (!email) return null
  const domain = emailDomainOf(email)
  if (isDisposableDomain(domain)) return 'disposable'
  return isPublicEmailDomain(domain) ? 'free' : 'business'
}

/** Reads the lists on first use, because 120,000 domains take 100 ms and most processes do not need them. */
function isDisposableDomain(domain: string): boolean {
  disposableLists ??= {
    domains: new Set<string>(require('disposable-email-domains')),
    parents: new Set<string>(require('disposable-email-domains/wildcard.json')),
  }
  return disposableLists.domains.has(domain) || disposableLists.parents.has(getDomain(domain) ?? domain)
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
