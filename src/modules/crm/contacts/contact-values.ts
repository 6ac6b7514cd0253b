import { invalid } from '#platform/errors'
import { nameKey, personSearchText, phoneE164 } from '../persons/person-keys.ts'

/** What a contact says about a person, and from which the rest is made. */
export type Said = {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone?: string | null
  title?: string | null
  country?: string | null
  account_name?: string | null
}

/** The columns that are made from what was said: keys to find by, and the number as it is dialled. */
export function derivedFrom({ first_name, last_name, email, phone, title, country, account_name }: Said) {
  const phone_e164 = phoneE164(phone, country)
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return {
    name_key: nameKey(first_name, last_name),
    phone_e164,
    search_text: personSearchText({ name, company: account_name, title, email, phone, phone_e164 }),
  }
}

/** A contact is somebody: there must be something to call them by or reach them at. */
export function assertSomebody({ email, phone, last_name }: Said): void {
  if (!email && !phone && !last_name)
    throw invalid('body', '', 'required', 'Give at least one of email, phone and last_name.')
}

/** What people call a contact. */
export const labelOf = ({ name, email, phone }: { name: string | null; email: string | null; phone: string | null }) =>
  name ?? email ?? phone
