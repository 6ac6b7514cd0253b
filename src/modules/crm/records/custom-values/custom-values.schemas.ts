import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Line, strict } from '#platform/schema'

export const objectTypes = ['lead', 'contact', 'account', 'opportunity'] as const
export type ObjectType = (typeof objectTypes)[number]

export const customFieldTypes = [
  'text',
  'long_text',
  'number',
  'boolean',
  'date',
  'datetime',
  'select',
  'multi_select',
  'url',
  'email',
  'phone',
  'money',
  'user',
] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

export const maxOptions = 200

export const FieldKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  minLength: 1,
  maxLength: 50,
  examples: ['tier'],
})

export const CustomValue = Type.Union([
  Type.String({ maxLength: 20_000 }),
  Type.Number({ minimum: -1e15, maximum: 1e15 }),
  Type.Boolean(),
  Type.Array(Line(200), { maxItems: 200 }),
  Money,
  Type.Null(),
])
export type CustomValue = Static<typeof CustomValue>
export const CustomFields = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }), CustomValue, {
  additionalProperties: false,
  maxProperties: 200,
  description: 'Values of custom fields by key.',
})
export type CustomValues = Record<string, CustomValue>

export type FieldOption = { key: string; label: string; color: string | null; is_active: boolean }

const Bound = Type.Union([Type.Number({ minimum: -1e15, maximum: 1e15 }), Type.String({ maxLength: 40 })])

export const FieldValidation = strict({
  min_length: Type.Optional(Type.Integer({ minimum: 0, maximum: 20_000 })),
  max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'RE2 syntax; anchor it with ^ and $ to match the whole text. A part may be repeated up to 50 times. The larger the pattern, the shorter the texts it accepts.',
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

export const FieldMapping = strict({
  contact: Type.Optional(FieldKey),
  account: Type.Optional(FieldKey),
  opportunity: Type.Optional(FieldKey),
})
export type FieldMapping = Static<typeof FieldMapping>
export type MappingTarget = keyof FieldMapping
