import { invalid } from '#platform/errors'
import { type FieldCatalogue, fieldsOfType, searchedFields, selectField } from '#platform/rules'
import { accountFields } from '../../records/fields/account-fields.ts'
import { hasAnyTag } from '../../records/fields/tags.queries.ts'
import { nameKey, personSearchText, phoneE164 } from '../../records/person-keys/person-keys.ts'
import { contactStages } from './contact-stage.rules.ts'

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

export const accountAlias = 'account'

const accountFieldsOfContact: FieldCatalogue = Object.fromEntries(
  Object.entries(accountFields).map(([key, field]) => [`account.${key}`, { ...field, joinAlias: accountAlias }]),
)

export const contactFields: FieldCatalogue = {
  ...searchedFields('first_name last_name name title'),
  ...fieldsOfType('text', 'phone department linkedin_url country region city timezone notes'),
  email: { type: 'text', column: 'email', lowerColumn: 'email_key', isSearched: true },
  source: selectField('source'),
  lifecycle_stage: selectField('lifecycle_stage', contactStages),
  email_status: selectField('email_status', ['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained']),
  call_status: selectField('call_status', ['allowed', 'do_not_call']),
  processing_restricted: { type: 'boolean', column: 'processing_restricted' },
  owner_id: { type: 'user', column: 'owner_id' },
  account_id: { type: 'reference', column: 'account_id' },
  tags: { type: 'tags', column: 'tags', hasAnyTag: hasAnyTag('contact') },
  ...fieldsOfType('datetime', 'created_at updated_at last_activity_at last_engaged_at'),
  ...fieldsOfType('datetime', 'mql_at sql_at opportunity_at customer_at former_customer_at'),
  ...accountFieldsOfContact,
}
