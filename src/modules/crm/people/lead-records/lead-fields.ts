import { type FieldCatalogue, fieldsOfType, type RuleField, searchedFields, selectField } from '#platform/rules'
import { hasAnyTag } from '../../records/fields/tags.queries.ts'
import { lifecycleStages } from '../../records/person-keys/lifecycle.rules.ts'
import { disqualifyReasons, leadStatuses } from './leads.rules.ts'

const utmField = (key: string): RuleField => ({ type: 'text', column: 'utm', jsonKey: key })

export const leadFields: FieldCatalogue = {
  ...searchedFields('first_name last_name name title company'),
  ...fieldsOfType('text', 'phone website linkedin_url industry'),
  ...fieldsOfType('text', 'country region city timezone source_detail notes'),
  email: { type: 'text', column: 'email', lowerColumn: 'email_key', isSearched: true },
  company_domain: { type: 'text', column: 'company_domain', lowerColumn: 'company_domain' },
  ...fieldsOfType('number', 'employee_count score fit_score engagement_score'),
  annual_revenue: { type: 'money', column: 'annual_revenue_base_minor' },
  email_kind: selectField('email_kind', ['business', 'free', 'disposable']),
  source: selectField('source'),
  status: selectField('status', leadStatuses),
  lifecycle_stage: selectField('lifecycle_stage', lifecycleStages),
  disqualify_reason: selectField('disqualify_reason', disqualifyReasons),
  grade: selectField('grade', ['A', 'B', 'C']),
  email_status: selectField('email_status', ['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained']),
  call_status: selectField('call_status', ['allowed', 'do_not_call']),
  processing_restricted: { type: 'boolean', column: 'processing_restricted' },
  owner_id: { type: 'user', column: 'owner_id' },
  tags: { type: 'tags', column: 'tags', hasAnyTag: hasAnyTag('lead') },
  'utm.source': utmField('source'),
  'utm.medium': utmField('medium'),
  'utm.campaign': utmField('campaign'),
  'utm.term': utmField('term'),
  'utm.content': utmField('content'),
  ...fieldsOfType('datetime', 'created_at updated_at assigned_at last_activity_at last_engaged_at first_responded_at'),
  ...fieldsOfType('datetime', 'sla_due_at sla_breached_at mql_at sql_at opportunity_at customer_at converted_at'),
}
