import { carriesTag } from '../persons/tags.queries.ts'
import type { Field, FieldCatalogue } from '../rules/vocabulary.rules.ts'
import { lostReasons } from './opportunities.schemas.ts'
import { categories, kinds } from './pipelines.schemas.ts'

const like = (type: 'text' | 'reference' | 'datetime', names: string): FieldCatalogue =>
  Object.fromEntries(names.split(' ').map((name): [string, Field] => [name, { type, column: name }]))
const select = (column: string, options?: readonly string[]): Field => ({ type: 'select', column, options })

/** What rules may ask of a deal. */
export const opportunityFields: FieldCatalogue = {
  ...like('text', 'name lost_detail next_step notes'),
  ...like('reference', 'account_id primary_contact_id pipeline_id campaign_id lead_id'),
  stage_key: select('stage_key'),
  kind: select('kind', kinds),
  amount: { type: 'money', column: 'amount_base_minor' },
  forecast_category: select('forecast_category', categories),
  close_on: { type: 'date', column: 'close_on' },
  lost_reason: select('lost_reason', lostReasons),
  source: select('source'),
  owner_id: { type: 'user', column: 'owner_id' },
  tags: { type: 'tags', column: 'tags', carriedBy: carriesTag('opportunity') },
  ...like('datetime', 'created_at updated_at closed_at stage_entered_at last_activity_at'),
}
