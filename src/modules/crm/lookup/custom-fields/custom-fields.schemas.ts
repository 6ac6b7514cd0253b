import { type Static, Type } from 'typebox'
import {
  clearable,
  enumList,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import {
  CustomFields,
  CustomValue,
  customFieldTypes,
  FieldKey,
  FieldMapping,
  FieldValidation,
  maxOptions,
  objectTypes,
} from '../../records/custom-values/custom-values.schemas.ts'

const ObjectTypeName = Type.Enum([...objectTypes])

const FieldOption = strict({
  key: FieldKey,
  label: Line(100),
  color: clearable(Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, examples: ['#22aa66'] })),
  is_active: Type.Optional(Type.Boolean({ default: true })),
})
const FieldOptions = Type.Array(FieldOption, { maxItems: maxOptions })

const customFieldProperties = {
  id: Id,
  object_type: ObjectTypeName,
  key: Type.String(),
  label: Type.String(),
  description: nullable(Type.String()),
  type: Type.Enum([...customFieldTypes]),
  options: Type.Array(
    strict({ key: Type.String(), label: Type.String(), color: nullable(Type.String()), is_active: Type.Boolean() }),
  ),
  validation: Type.Record(Type.String(), Type.Unknown()),
  default_value: Type.Unknown(),
  is_required: Type.Boolean(),
  is_unique: Type.Boolean(),
  is_filterable: Type.Boolean(),
  is_searchable: Type.Boolean(),
  is_active: Type.Boolean(),
  is_personal: Type.Boolean(),
  group_label: nullable(Type.String()),
  position: Type.Integer(),
  maps_to: nullable(FieldMapping),
  index_state: Type.Enum(['none', 'building', 'ready'], { description: '`building`: filters work, but are slower.' }),
  unique_state: Type.Enum(['none', 'building', 'ready', 'failed'], {
    description:
      '`building`: existing values are being checked, and new values are already unique. `failed`: several records have the same value, so `is_unique` is false again.',
  }),
  duplicate_record_ids: Type.Array(Id, {
    maxItems: 10,
    description: 'Records whose values prevented the field from becoming unique, if the state is `failed`.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const CustomField = named('CustomField', strict(customFieldProperties))
export type CustomField = Static<typeof CustomField>

export const UpdatedCustomField = named(
  'UpdatedCustomField',
  strict({
    ...customFieldProperties,
    invalid_existing: nullable(
      Type.Integer({
        description: 'Existing values that the new validation rejects, counted up to 10,000. They are kept.',
      }),
    ),
  }),
)
export type UpdatedCustomField = Static<typeof UpdatedCustomField>

const writableProperties = {
  description: clearable(Type.String({ maxLength: 500 })),
  options: Type.Optional(FieldOptions),
  validation: Type.Optional(FieldValidation),
  default_value: Type.Optional(CustomValue),
  is_required: Type.Optional(Type.Boolean()),
  is_unique: Type.Optional(
    Type.Boolean({
      description:
        'Whether two records cannot have the same value. Up to 1,000 existing values are checked before the response, more by a job; `unique_state` has its outcome.',
    }),
  ),
  is_filterable: Type.Optional(
    Type.Boolean({ description: 'Whether lists can be filtered by the field; for at most 60 fields per object type.' }),
  ),
  is_searchable: Type.Optional(
    Type.Boolean({
      description: 'Whether `search` of lists also finds the values; for types with text. Default: false.',
    }),
  ),
  is_active: Type.Optional(Type.Boolean()),
  is_personal: Type.Optional(Type.Boolean({ description: 'The values are personal data.' })),
  group_label: clearable(Type.String({ maxLength: 100 })),
  maps_to: clearable(FieldMapping),
}

export const NewCustomField = withExample(
  strict({
    ...writableProperties,
    object_type: ObjectTypeName,
    key: Type.Optional(FieldKey),
    label: Line(100),
    type: Type.Enum([...customFieldTypes]),
  }),
  { object_type: 'lead', label: 'Region code', type: 'text' },
)
export type NewCustomField = Static<typeof NewCustomField>

export const CustomFieldChanges = strict({
  ...writableProperties,
  label: Type.Optional(Line(100)),
  type: Type.Optional(Type.Enum([...customFieldTypes])),
  replace_options: Type.Optional(
    Type.Record(FieldKey, nullable(FieldKey), {
      additionalProperties: false,
      maxProperties: maxOptions,
      description: 'For removed options: the option that replaces it in existing values, or null to clear them.',
    }),
  ),
})
export type CustomFieldChanges = Static<typeof CustomFieldChanges>

export const CustomFieldQuery = listQuery({
  object_type: Type.Optional(enumList([...objectTypes])),
  is_active: Type.Optional(Type.Boolean()),
})
export type CustomFieldQuery = Static<typeof CustomFieldQuery>

export const CustomFieldParams = strict({ field_id: Id })
export const ObjectTypeParams = strict({ object_type: ObjectTypeName })
export const ValueParams = strict({ object_type: ObjectTypeName, record_id: Id })
export const DeleteFieldQuery = strict({
  force: Type.Optional(Type.Boolean({ description: 'Also delete the values. For admins only.' })),
})
export const ReorderQuery = strict({ object_type: ObjectTypeName })
export const FieldOrder = strict({ field_ids: Type.Array(Id, { maxItems: 200, uniqueItems: true }) })

export const StandardField = named(
  'StandardField',
  strict({
    key: Type.String(),
    label: Type.String(),
    type: Type.String(),
    is_writable: Type.Boolean(),
    is_required: Type.Boolean(),
    is_filterable: Type.Boolean(),
    is_sortable: Type.Boolean(),
    operators: Type.Array(Type.String()),
    options: Type.Optional(Type.Array(Type.String())),
  }),
)
export type StandardField = Static<typeof StandardField>

const Values = Type.Record(Type.String(), Type.Unknown())

export const RecordValues = named(
  'RecordValues',
  strict({
    object_type: ObjectTypeName,
    record_id: Id,
    values: Values,
    inactive_values: Values,
    version: Type.Integer({ description: 'Version of the record.' }),
  }),
)
export type RecordValues = Static<typeof RecordValues>

export const ValueReplacement = strict({
  values: { ...CustomFields, description: 'Values by field key. Active fields that are left out are cleared.' },
})
export type ValueReplacement = Static<typeof ValueReplacement>
