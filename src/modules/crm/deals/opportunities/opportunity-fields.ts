import { type FieldCatalogue, fieldsOfType, selectField } from '#platform/rules'
import { hasAnyTag } from '../../records/fields/tags.queries.ts'
import { forecastCategories, stageKinds } from '../pipelines/pipelines.schemas.ts'
import { lostReasons } from './opportunities.schemas.ts'

export const opportunityFields: FieldCatalogue = {
  ...fieldsOfType('text', 'name lost_detail next_step notes'),
  ...fieldsOfType('reference', 'account_id primary_contact_id pipeline_id campaign_id lead_id'),
  stage_key: selectField('stage_key'),
  kind: selectField('kind', stageKinds),
  amount: { type: 'money', column: 'amount_base_minor' },
  forecast_category: selectField('forecast_category', forecastCategories),
  close_on: { type: 'date', column: 'close_on' },
  lost_reason: selectField('lost_reason', lostReasons),
  source: selectField('source'),
  owner_id: { type: 'user', column: 'owner_id' },
  tags: { type: 'tags', column: 'tags', hasAnyTag: hasAnyTag('opportunity') },
  ...fieldsOfType('datetime', 'created_at updated_at closed_at stage_entered_at last_activity_at'),
}
