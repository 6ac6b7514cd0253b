import { invalid } from '#platform/errors'
import { nameKey, personSearchText, phoneE164 } from '../../records/persons/person-keys.ts'

type ContactPersonInput = {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone?: string | null
  title?: string | null
  country?: string | null
  account_name?: string | null
}

export function deriveContactColumns({
  first_name,
  last_name,
  email,
  phone,
  title,
  country,
  account_name,
}: ContactPersonInput) {
  const phone_e164 = phoneE164(phone, country)
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return {
    name_key: nameKey(first_name, last_name),
    phone_e164,
    search_text: personSearchText({ name, company: account_name, title, email, phone, phone_e164 }),
  }
}

export function assertContactIdentifiable({ email, phone, last_name }: ContactPersonInput): void {
  if (!email && !phone && !last_name)
    throw invalid('body', '', 'required', 'At least one of `email`, `phone` and `last_name` is required.')
}

export const contactLabel = ({
  name,
  email,
  phone,
}: {
  name: string | null
  email: string | null
  phone: string | null
}) => name ?? email ?? phone
