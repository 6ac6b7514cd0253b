import { type FieldCatalogue, fieldsOfType, selectField } from '#platform/rules'
import { hasAnyTag } from './tags.queries.ts'

export const accountTypes = [
  'prospect',
  'customer',
  'partner',
  'competitor',
  'former_customer',
  'person',
  'other',
] as const

export const accountFields: FieldCatalogue = {
  ...fieldsOfType('text', 'name website industry phone timezone notes'),
  domain: { type: 'text', column: 'domain', lowerColumn: 'domain' },
  type: selectField('type', accountTypes),
  employee_count: { type: 'number', column: 'employee_count' },
  annual_revenue: { type: 'money', column: 'annual_revenue_base_minor' },
  owner_id: { type: 'user', column: 'owner_id' },
  parent_account_id: { type: 'reference', column: 'parent_account_id' },
  tags: { type: 'tags', column: 'tags', hasAnyTag: hasAnyTag('account') },
  'address.city': { type: 'text', column: 'address', jsonKey: 'city' },
  'address.region': { type: 'text', column: 'address', jsonKey: 'region' },
  'address.country': { type: 'text', column: 'address', jsonKey: 'country' },
  ...fieldsOfType('datetime', 'created_at updated_at last_activity_at'),
}
