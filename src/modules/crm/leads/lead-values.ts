import { isTimeZone } from '#modules/identity'
import { invalid } from '#platform/errors'
import {
  companyDomainOf,
  companyKey,
  emailKindOf,
  nameKey,
  personSearchText,
  phoneE164,
} from '../persons/person-keys.ts'

/** What a lead says about a person, and from which the rest is made. */
export type Said = {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone?: string | null
  title?: string | null
  company?: string | null
  website?: string | null
  country?: string | null
}

/** The columns that are made from what was said: keys to find by, the kind of address, the number as it is dialled. */
export function derivedFrom(said: Said) {
  const { first_name, last_name, email, phone, title, company, website, country } = said
  const phone_e164 = phoneE164(phone, country)
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return {
    name_key: nameKey(first_name, last_name),
    company_key: companyKey(company),
    company_domain: companyDomainOf({ website, email }),
    email_kind: emailKindOf(email),
    phone_e164,
    search_text: personSearchText({ name, company, title, email, phone, phone_e164 }),
  }
}

/** A lead is somebody: there must be something to call them by or reach them at. */
export function assertSomebody({ email, phone, last_name, company }: Said): void {
  if (!email && !phone && !last_name && !company)
    throw invalid('body', '', 'required', 'Give at least one of email, phone, last_name and company.')
}

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

type Place = { country?: string | null; timezone?: string | null }

/** `path` is where the place stands in the body. */
export function assertKnownPlace({ country, timezone }: Place, path = ''): void {
  if (country && !regions.of(country))
    throw invalid('body', `${path}/country`, 'unknown', 'Name a country by its two letters of ISO 3166, such as DE.')
  if (timezone && !isTimeZone(timezone))
    throw invalid('body', `${path}/timezone`, 'unknown', 'Name an IANA time zone, such as Europe/Berlin.')
}
