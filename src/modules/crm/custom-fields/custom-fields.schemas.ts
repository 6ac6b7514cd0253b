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
import { CustomFields, CustomValue } from '../lead-records/leads.schemas.ts'

export const objectTypes = ['lead', 'contact', 'account', 'opportunity'] as const
export type ObjectType = (typeof objectTypes)[number]

export const customFieldTypes = [
  ...(['text', 'long_text', 'number', 'boolean', 'date', 'datetime', 'select', 'multi_select'] as const),
  ...(['url', 'email', 'phone', 'money', 'user'] as const),
] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

export const maxOptions = 200

const ObjectTypeName = Type.Enum([...objectTypes])
const FieldKey = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$', minLength: 1, maxLength: 50, examples: ['tier'] })

export type CustomValues = Record<string, CustomValue>

const FieldOption = strict({
  key: FieldKey,
  label: Line(100),
  color: clearable(Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, examples: ['#22aa66'] })),
  is_active: Type.Optional(Type.Boolean({ default: true })),
})
export type FieldOption = { key: string; label: string; color: string | null; is_active: boolean }
const FieldOptions = Type.Array(FieldOption, { maxItems: maxOptions })

const Bound = Type.Union([Type.Number({ minimum: -1e15, maximum: 1e15 }), Type.String({ maxLength: 40 })])

export const FieldValidation = strict({
  min_length: Type.Optional(Type.Integer({ minimum: 0, maximum: 20_000 })),
  max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'RE2 syntax; anchor it with ^ and $ to match the whole text.',
    }),
  ),
  min: Type.Optional(Bound),
  max: Type.Optional(Bound),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })),
  max_selected: Type.Optional(Type.Integer({ minimum: 1, maximum: maxOptions })),
  https_only: Type.Optional(Type.Boolean()),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3 })),
  active_only: Type.Optional(Type.Boolean()),
})
export type FieldValidation = Static<typeof FieldValidation>

const FieldMapping = strict({
  contact: Type.Optional(FieldKey),
  account: Type.Optional(FieldKey),
  opportunity: Type.Optional(FieldKey),
})
export type FieldMapping = Static<typeof FieldMapping>
export type MappingTarget = keyof FieldMapping

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
  is_active: Type.Boolean(),
  is_personal: Type.Boolean(),
  group_label: nullable(Type.String()),
  position: Type.Integer(),
  maps_to: nullable(FieldMapping),
  index_state: Type.Enum(['none', 'building', 'ready'], { description: '`building`: filters work, but are slower.' }),
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
  is_unique: Type.Optional(Type.Boolean()),
  is_filterable: Type.Optional(
    Type.Boolean({ description: 'Whether lists can be filtered by the field; for at most 60 fields per object type.' }),
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
