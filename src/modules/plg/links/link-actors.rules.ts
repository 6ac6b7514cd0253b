import { emailDomainOf, isPublicEmailDomain } from '#modules/identity'

/** The points of an account of the product go to the leads of at most so many of its people. */
export const maxLeadsPerAccount = 200

export type LinkMethod = 'email' | 'domain' | 'manual' | 'pql' | null

export type Links = {
  contact_id: string | null
  lead_id: string | null
  account_id: string | null
  link_method: LinkMethod
}

type PersonMatch = { contactId: string | null; contactAccountId: string | null; leadId: string | null }

/** A contact wins over a lead, and its account over that of the product account. Without a match, existing links by hand or rule stay. */
export function linkPerson(
  current: Links,
  { contactId, contactAccountId, leadId }: PersonMatch,
  productAccountId: string | null,
): Links {
  if (contactId)
    return {
      contact_id: contactId,
      lead_id: null,
      account_id: contactAccountId ?? productAccountId,
      link_method: 'email',
    }
  if (leadId) return { contact_id: null, lead_id: leadId, account_id: productAccountId, link_method: 'email' }
  if (current.link_method === 'pql' && current.lead_id) return { ...current, account_id: productAccountId }
  return {
    contact_id: null,
    lead_id: null,
    account_id: productAccountId,
    link_method: productAccountId ? 'domain' : null,
  }
}

/** The domain of most people of an account, if at least two of them or half of them have it. Public providers do not count. */
export function commonDomainOf(emails: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const email of emails) {
    const domain = emailDomainOf(email)
    if (!isPublicEmailDomain(domain)) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  }
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return best && (best[1] >= 2 || best[1] * 2 >= emails.length) ? best[0] : null
}

/** A lead that a rule created is found by its email address later, which is no other link. */
export const isSameLink = (a: Links, b: Links): boolean =>
  a.contact_id === b.contact_id && a.lead_id === b.lead_id && a.account_id === b.account_id
