import { carriesTag } from '../persons/tags.queries.ts'
import type { Field, FieldCatalogue } from '../rules/vocabulary.rules.ts'
import { contactStages } from './contact-stage.rules.ts'

/** The name the account of a contact has in statements. */
export const joinedAccount = 'account'

type Plain = 'text' | 'number' | 'datetime'
const like = (type: Plain, names: string): FieldCatalogue =>
  Object.fromEntries(names.split(' ').map((name): [string, Field] => [name, { type, column: name }]))
const ofAccount = (type: Plain, names: string): FieldCatalogue =>
  Object.fromEntries(
    names.split(' ').map((name): [string, Field] => [`account.${name}`, { type, column: name, of: joinedAccount }]),
  )
const select = (column: string, options?: readonly string[]): Field => ({ type: 'select', column, options })

/** What rules may ask of a contact, and of the account it belongs to. */
export const contactFields: FieldCatalogue = {
  ...like('text', 'first_name last_name name phone title department linkedin_url country region city timezone notes'),
  email: { type: 'text', column: 'email', lowerColumn: 'email_key' },
  source: select('source'),
  lifecycle_stage: select('lifecycle_stage', contactStages),
  email_status: select('email_status', ['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained']),
  call_status: select('call_status', ['allowed', 'do_not_call']),
  processing_restricted: { type: 'boolean', column: 'processing_restricted' },
  owner_id: { type: 'user', column: 'owner_id' },
  account_id: { type: 'reference', column: 'account_id' },
  tags: { type: 'tags', column: 'tags', carriedBy: carriesTag('contact') },
  ...like('datetime', 'created_at updated_at last_activity_at last_engaged_at'),
  ...like('datetime', 'mql_at sql_at opportunity_at customer_at former_customer_at'),
  ...ofAccount('text', 'name website industry phone timezone'),
  ...ofAccount('number', 'employee_count'),
  ...ofAccount('datetime', 'created_at last_activity_at'),
  'account.domain': { type: 'text', column: 'domain', lowerColumn: 'domain', of: joinedAccount },
  'account.type': { type: 'select', column: 'type', of: joinedAccount },
  'account.annual_revenue': { type: 'money', column: 'annual_revenue_base_minor', of: joinedAccount },
  'account.owner_id': { type: 'user', column: 'owner_id', of: joinedAccount },
}
