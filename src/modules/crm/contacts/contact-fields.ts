import { hasAnyTag } from '../records/tags.queries.ts'
import { type FieldCatalogue, fieldsOfType, type RuleField, selectField } from '../rules/vocabulary.rules.ts'
import { contactStages } from './contact-stage.rules.ts'

export const accountAlias = 'account'

type PlainType = 'text' | 'number' | 'datetime'
const accountFieldsOfType = (type: PlainType, names: string): FieldCatalogue =>
  Object.fromEntries(
    names
      .split(' ')
      .map((name): [string, RuleField] => [`account.${name}`, { type, column: name, joinAlias: accountAlias }]),
  )

export const contactFields: FieldCatalogue = {
  ...fieldsOfType(
    'text',
    'first_name last_name name phone title department linkedin_url country region city timezone notes',
  ),
  email: { type: 'text', column: 'email', lowerColumn: 'email_key' },
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
  ...accountFieldsOfType('text', 'name website industry phone timezone'),
  ...accountFieldsOfType('number', 'employee_count'),
  ...accountFieldsOfType('datetime', 'created_at last_activity_at'),
  'account.domain': { type: 'text', column: 'domain', lowerColumn: 'domain', joinAlias: accountAlias },
  'account.type': { type: 'select', column: 'type', joinAlias: accountAlias },
  'account.annual_revenue': { type: 'money', column: 'annual_revenue_base_minor', joinAlias: accountAlias },
  'account.owner_id': { type: 'user', column: 'owner_id', joinAlias: accountAlias },
}
