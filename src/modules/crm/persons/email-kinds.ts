import disposableDomains from 'disposable-email-domains' with { type: 'json' }
import disposableParents from 'disposable-email-domains/wildcard.json' with { type: 'json' }
import { getDomain } from 'tldts'
import { isPublicMailDomain } from '#modules/identity'

export type EmailKind = 'business' | 'free' | 'disposable'

const disposable = new Set(disposableDomains)
const parents = new Set(disposableParents)

/** Whether an address is of a company, of a provider anyone can use, or of one that forgets it after an hour. */
export function emailKindOf(email: string | null | undefined): EmailKind | null {
  if (!email) return null
  const domain = domainOf(email)
  if (disposable.has(domain) || parents.has(getDomain(domain) ?? domain)) return 'disposable'
  return isPublicMailDomain(domain) ? 'free' : 'business'
}

/** The domain a company is known by: of its website, else of an address that is the company's own. */
export function companyDomainOf({ website, email }: { website?: string | null; email?: string | null }): string | null {
  const ofWebsite = website ? getDomain(website) : null
  if (ofWebsite) return ofWebsite.toLowerCase()
  if (!email || emailKindOf(email) !== 'business') return null
  return getDomain(domainOf(email))?.toLowerCase() ?? null
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
