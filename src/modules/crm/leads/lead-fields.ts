import { ladder } from '../persons/life-cycle.rules.ts'
import { carriesTag } from '../persons/tags.queries.ts'
import type { Field, FieldCatalogue } from '../rules/vocabulary.rules.ts'
import { disqualifyReasons, statuses } from './status.rules.ts'

const like = (type: 'text' | 'number' | 'datetime', names: string): FieldCatalogue =>
  Object.fromEntries(names.split(' ').map((name): [string, Field] => [name, { type, column: name }]))
const select = (column: string, options?: readonly string[]): Field => ({ type: 'select', column, options })
const utm = (key: string): Field => ({ type: 'text', column: 'utm', jsonKey: key })

/** What rules may ask of a lead: filters of the list, scoring, segments. */
export const leadFields: FieldCatalogue = {
  ...like('text', 'first_name last_name name phone title company website linkedin_url industry'),
  ...like('text', 'country region city timezone source_detail notes'),
  email: { type: 'text', column: 'email', lowerColumn: 'email_key' },
  company_domain: { type: 'text', column: 'company_domain', lowerColumn: 'company_domain' },
  ...like('number', 'employee_count score fit_score engagement_score'),
  annual_revenue: { type: 'money', column: 'annual_revenue_base_minor' },
  email_kind: select('email_kind', ['business', 'free', 'disposable']),
  source: select('source'),
  status: select('status', statuses),
  lifecycle_stage: select('lifecycle_stage', ladder),
  disqualify_reason: select('disqualify_reason', disqualifyReasons),
  grade: select('grade', ['A', 'B', 'C']),
  email_status: select('email_status', ['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained']),
  call_status: select('call_status', ['allowed', 'do_not_call']),
  processing_restricted: { type: 'boolean', column: 'processing_restricted' },
  owner_id: { type: 'user', column: 'owner_id' },
  tags: { type: 'tags', column: 'tags', carriedBy: carriesTag('lead') },
  'utm.source': utm('source'),
  'utm.medium': utm('medium'),
  'utm.campaign': utm('campaign'),
  'utm.term': utm('term'),
  'utm.content': utm('content'),
  ...like('datetime', 'created_at updated_at assigned_at last_activity_at last_engaged_at first_responded_at'),
  ...like('datetime', 'sla_due_at sla_breached_at mql_at sql_at opportunity_at customer_at converted_at'),
}
