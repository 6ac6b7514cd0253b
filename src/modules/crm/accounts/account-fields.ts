import { carriesTag } from '../persons/tags.queries.ts'
import type { Field, FieldCatalogue } from '../rules/vocabulary.rules.ts'
import { accountTypes } from './accounts.schemas.ts'

const like = (type: 'text' | 'datetime', names: string): FieldCatalogue =>
  Object.fromEntries(names.split(' ').map((name): [string, Field] => [name, { type, column: name }]))

/** What rules may ask of an account. */
export const accountFields: FieldCatalogue = {
  ...like('text', 'name website industry phone timezone notes'),
  domain: { type: 'text', column: 'domain', lowerColumn: 'domain' },
  type: { type: 'select', column: 'type', options: accountTypes },
  employee_count: { type: 'number', column: 'employee_count' },
  annual_revenue: { type: 'money', column: 'annual_revenue_base_minor' },
  owner_id: { type: 'user', column: 'owner_id' },
  parent_account_id: { type: 'reference', column: 'parent_account_id' },
  tags: { type: 'tags', column: 'tags', carriedBy: carriesTag('account') },
  'address.city': { type: 'text', column: 'address', jsonKey: 'city' },
  'address.region': { type: 'text', column: 'address', jsonKey: 'region' },
  'address.country': { type: 'text', column: 'address', jsonKey: 'country' },
  ...like('datetime', 'created_at updated_at last_activity_at'),
}
