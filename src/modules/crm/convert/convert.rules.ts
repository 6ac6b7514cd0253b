import { toMoney } from '#platform/money'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import type { NewAccount } from '../accounts/accounts.schemas.ts'
import type { ContactRow } from '../contacts/contacts.queries.ts'
import type { NewContact } from '../contacts/contacts.schemas.ts'
import type { LeadRow } from '../leads/leads.queries.ts'

type Company = Omit<NewAccount, 'name'>

/** What a lead says about the company. */
export function companyIn(lead: LeadRow): Company {
  const { company_domain, website, industry, employee_count } = lead
  const { annual_revenue_minor: minor, annual_revenue_currency: currency } = lead
  const annual_revenue = minor === null || currency === null ? null : toMoney(minor, currency)
  return { domain: company_domain, website, industry, employee_count, annual_revenue }
}

/** A lead without a company is an account of its own: the company of its domain, or the person. */
export function newAccountOf(lead: LeadRow): NewAccount {
  const { company, company_domain, name, email, phone } = lead
  const isPerson = !company && !company_domain
  const called = company ?? company_domain ?? name ?? email ?? phone ?? ''
  return { ...companyIn(lead), name: called.slice(0, 200), ...(isPerson && { type: 'person' }) }
}

/** What a lead says about the person. */
export function personIn(lead: LeadRow): NewContact {
  const { first_name, last_name, email, phone, title, linkedin_url, country, region, city, timezone, tags, notes } =
    lead
  return { first_name, last_name, email, phone, title, linkedin_url, country, region, city, timezone, tags, notes }
}

/** Of what could be said about a record, what nobody has said yet. */
export function missingIn<T extends object>(record: AccountRow | ContactRow, said: T): Partial<T> {
  const present: Record<string, unknown> = {
    ...record,
    annual_revenue: 'annual_revenue_minor' in record ? record.annual_revenue_minor : null,
  }
  return Object.fromEntries(
    Object.entries(said).filter(([field, value]) => isEmpty(present[field]) && !isEmpty(value)),
  ) as Partial<T>
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const byStrictness = ['subscribed', 'unknown', 'bounced', 'unsubscribed', 'complained']

type Consent = Pick<ContactRow, 'email_key' | 'email_status' | 'call_status' | 'processing_restricted'>

/** What a person objected to as a lead holds for the contact, too. Empty when the contact knows it. */
export function objectionsOf(lead: Consent, contact: Consent) {
  const isSameAddress = lead.email_key !== null && lead.email_key === contact.email_key
  const isStricter = byStrictness.indexOf(lead.email_status) > byStrictness.indexOf(contact.email_status)
  const objects = isSameAddress && isStricter && lead.email_status !== 'unknown'
  return {
    ...(objects && { email_status: lead.email_status }),
    ...(lead.call_status === 'do_not_call' &&
      contact.call_status !== 'do_not_call' && { call_status: lead.call_status }),
    ...(lead.processing_restricted && !contact.processing_restricted && { processing_restricted: true }),
  }
}
