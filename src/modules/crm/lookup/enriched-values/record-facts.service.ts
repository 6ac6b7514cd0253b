import type { TenantTx } from '#platform/db'
import { moneyOf } from '#platform/money'
import { type AccountRow, getAccount, lockAccount } from '../../people/accounts/accounts.queries.ts'
import { type ContactRow, getContact, lockContact } from '../../people/contacts/contacts.queries.ts'
import { getLead, type LeadRow, lockLead } from '../../people/lead-records/leads.queries.ts'
import { type FieldProvenance, listProvenance } from '../../records/fields/provenance.queries.ts'
import { companyDomainOf } from '../../records/person-keys/person-keys.ts'
import { type EnrichableType, enrichableFields } from './enrichable-fields.ts'
import { provenanceOfField } from './enriched-values.rules.ts'

export type RecordRef = { type: EnrichableType; id: string }

/** Identifies the person or company for a provider. */
export type LookupInput = {
  email: string | null
  domain: string | null
  name: string | null
  company: string | null
  title: string | null
  phone: string | null
  country: string | null
}

export type FieldFact = { value: unknown; provenance: FieldProvenance | null }

export type RecordFacts = {
  ref: RecordRef
  isConverted: boolean
  isRestricted: boolean
  fields: ReadonlyMap<string, FieldFact>
  lookup: LookupInput
}

type Details = Pick<RecordFacts, 'isConverted' | 'isRestricted' | 'lookup'> & {
  values: Record<string, unknown>
}

/** Reads the enrichable fields of a record with their provenance. An unknown or deleted record is a 404. */
export const getRecordFacts = (tx: TenantTx, ref: RecordRef): Promise<RecordFacts> =>
  readFacts(tx, ref, { lead: getLead, contact: getContact, account: getAccount })

/** Locks the record until the transaction ends. */
export const lockRecordFacts = (tx: TenantTx, ref: RecordRef): Promise<RecordFacts> =>
  readFacts(tx, ref, { lead: lockLead, contact: lockContact, account: lockAccount })

type Readers = {
  lead(tx: TenantTx, id: string): Promise<LeadRow>
  contact(tx: TenantTx, id: string): Promise<ContactRow>
  account(tx: TenantTx, id: string): Promise<AccountRow>
}

async function readFacts(tx: TenantTx, ref: RecordRef, readers: Readers): Promise<RecordFacts> {
  const { type, id } = ref
  const { values, ...details } = await readDetails(tx, ref, readers)
  const provenance = await listProvenance(tx, type, id)
  const fields = enrichableFields[type].map((field): [string, FieldFact] => [
    field,
    { value: values[field] ?? null, provenance: provenanceOfField(type, field, provenance) },
  ])
  return { ref, ...details, fields: new Map(fields) }
}

async function readDetails(tx: TenantTx, { type, id }: RecordRef, readers: Readers): Promise<Details> {
  if (type === 'lead') return detailsOfLead(await readers.lead(tx, id))
  return type === 'contact'
    ? detailsOfContact(await readers.contact(tx, id))
    : detailsOfAccount(await readers.account(tx, id))
}

const revenueOf = (row: Pick<LeadRow, 'annual_revenue_minor' | 'annual_revenue_currency'>) =>
  moneyOf(row.annual_revenue_minor, row.annual_revenue_currency)

function detailsOfLead(lead: LeadRow): Details {
  const { name, email, company, company_domain: domain, title, phone, phone_e164, country } = lead
  return {
    isConverted: lead.status === 'converted',
    isRestricted: lead.processing_restricted,
    values: { ...lead, annual_revenue: revenueOf(lead) },
    lookup: { email, domain, name, company, title, phone: phone_e164 ?? phone, country },
  }
}

function detailsOfContact(contact: ContactRow): Details {
  const { name, email, account_name: company, title, phone, phone_e164, country } = contact
  const domain = companyDomainOf({ email })
  return {
    isConverted: false,
    isRestricted: contact.processing_restricted,
    values: contact,
    lookup: { email, domain, name, company, title, phone: phone_e164 ?? phone, country },
  }
}

function detailsOfAccount(account: AccountRow): Details {
  const { name: company, phone, website } = account
  const address = (account.address ?? {}) as Record<string, string | null>
  const domain = account.domain ?? companyDomainOf({ website })
  return {
    isConverted: false,
    isRestricted: false,
    values: { ...account, ...address, annual_revenue: revenueOf(account) },
    lookup: { email: null, domain, name: null, company, title: null, phone, country: address.country ?? null },
  }
}
