import { definePresenter } from '#platform/module'
import { toCustomField } from './create-custom-field.service.ts'
import { listCustomFieldsById } from './custom-fields.queries.ts'
import { CustomField } from './custom-fields.schemas.ts'

export const customFieldPresenter = definePresenter({
  subjectType: 'custom_field',
  schema: CustomField,
  list: async (tx, ids) => (await listCustomFieldsById(tx, ids)).map((field) => [field.id, toCustomField(field)]),
})
