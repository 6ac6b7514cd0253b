import { toMoney } from '#platform/money'
import type { AccountRow } from '../../people/accounts/accounts.queries.ts'
import type { NewAccount } from '../../people/accounts/accounts.schemas.ts'
import type { RecordConsent } from '../../people/consent/consent.rules.ts'
import type { ContactRow } from '../../people/contacts/contacts.queries.ts'
import type { NewContact } from '../../people/contacts/contacts.schemas.ts'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'

type AccountFields = Omit<NewAccount, 'name'>

export function toAccountFields(lead: LeadRow): AccountFields {
  const { company_domain, website, industry, employee_count } = lead
  const { annual_revenue_minor: minor, annual_revenue_currency: currency } = lead
  const annual_revenue = minor === null || currency === null ? null : toMoney(minor, currency)
  return { domain: company_domain, website, industry, employee_count, annual_revenue }
}

export function toNewAccount(lead: LeadRow): NewAccount {
  const { company, company_domain, name, email, phone } = lead
  const isPerson = !company && !company_domain
  const accountName = company ?? company_domain ?? name ?? email ?? phone ?? ''
  return { ...toAccountFields(lead), name: accountName.slice(0, 200), ...(isPerson && { type: 'person' }) }
}

export function toContactFields(lead: LeadRow): NewContact {
  const { first_name, last_name, email, phone, title, linkedin_url, country, region, city, timezone, tags, notes } =
    lead
  return { first_name, last_name, email, phone, title, linkedin_url, country, region, city, timezone, tags, notes }
}

export function missingFields<T extends object>(record: AccountRow | ContactRow, values: T): Partial<T> {
  const current: Record<string, unknown> = {
    ...record,
    annual_revenue: 'annual_revenue_minor' in record ? record.annual_revenue_minor : null,
  }
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => isEmpty(current[field]) && !isEmpty(value)),
  ) as Partial<T>
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

export const isSameConsent = (one: RecordConsent, other: RecordConsent): boolean =>
  one.email_status === other.email_status &&
  one.call_status === other.call_status &&
  one.processing_restricted === other.processing_restricted
