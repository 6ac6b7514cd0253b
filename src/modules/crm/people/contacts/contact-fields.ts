import { type FieldCatalogue, fieldsOfType, searchedFields, selectField } from '#platform/rules'
import { accountFields } from '../../records/records/account-fields.ts'
import { hasAnyTag } from '../../records/records/tags.queries.ts'
import { contactStages } from './contact-stage.rules.ts'

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
