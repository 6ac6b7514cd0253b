import { invalid } from '#platform/errors'
import { trimEndOf, trimStartOf } from '#platform/text'
import {
  companyDomainOf,
  companyKey,
  emailKindOf,
  nameKey,
  personSearchText,
  phoneE164,
} from '../../records/persons/person-keys.ts'

type PersonInput = {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone?: string | null
  title?: string | null
  company?: string | null
  website?: string | null
  country?: string | null
}

/** Derives the name as the database does. */
export const nameOf = ({ first_name, last_name }: PersonInput): string | null =>
  trimEndOf(trimStartOf(`${first_name ?? ''} ${last_name ?? ''}`, / /), / /) || null

export function deriveLeadColumns(input: PersonInput) {
  const { first_name, last_name, email, phone, title, company, website, country } = input
  const phone_e164 = phoneE164(phone, country)
  const name = nameOf(input)
  return {
    name_key: nameKey(first_name, last_name),
    company_key: companyKey(company),
    company_domain: companyDomainOf({ website, email }),
    email_kind: emailKindOf(email),
    phone_e164,
    search_text: personSearchText({ name, company, title, email, phone, phone_e164 }),
  }
}

export function assertIdentifiable({ email, phone, last_name, company }: PersonInput): void {
  if (!email && !phone && !last_name && !company)
    throw invalid('body', '', 'required', 'At least one of `email`, `phone`, `last_name` and `company` is required.')
}
