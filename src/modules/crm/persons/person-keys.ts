import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { searchText } from '#platform/db'

export { companyDomainOf, emailKindOf } from './email-kinds.ts'

const legalForms = new Set('inc ltd llc gmbh ag sa sas bv plc co corp oy ab srl spa'.split(' '))

/** By which a name is sorted and told from others: without case, accents and doubled spaces. */
export function nameKey(first: string | null | undefined, last?: string | null): string | null {
  return searchText(first, last) || null
}

/** The same for a company, without its legal form. A name that is nothing but one keeps it. */
export function companyKey(company: string | null | undefined): string | null {
  const whole = searchText(company)
  const words = whole
    .replace(/[.,]/g, (mark) => (mark === '.' ? '' : ' '))
    .split(' ')
    .filter(Boolean)
  const core = words.filter((word) => !legalForms.has(word))
  return (core.length ? core : words).join(' ') || whole || null
}

/** How the number is dialled from anywhere. Without a country only a number that begins with a plus can be read. */
export function phoneE164(phone: string | null | undefined, country?: string | null): string | null {
  if (!phone) return null
  const parsed = parsePhoneNumberFromString(phone, (country ?? undefined) as CountryCode | undefined)
  return parsed?.isPossible() ? parsed.number : null
}

type SearchedPerson = {
  name?: string | null
  company?: string | null
  title?: string | null
  email?: string | null
  phone?: string | null
  phone_e164?: string | null
  /** Custom fields that are searched too. */
  more?: readonly (string | null | undefined)[]
}

/** What a search looks through. It begins with a space, so that the beginning of a word can be asked for. */
export function personSearchText({
  name,
  company,
  title,
  email,
  phone,
  phone_e164,
  more = [],
}: SearchedPerson): string {
  const digits = phone?.replace(/\D/g, '')
  const dialled = phone_e164?.slice(1)
  return ` ${searchText(name, company, title, email, digits, dialled === digits ? null : dialled, ...more)}`
}
