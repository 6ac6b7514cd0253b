import type { InputError } from '#platform/errors'
import { isCurrency } from '#platform/money'
import { isDate, isDateTime } from '#platform/schema'
import { trimEndOf } from '#platform/text'
import { searchableTypes } from '../../records/custom-values/custom-text.ts'
import type {
  CustomFieldType,
  FieldMapping,
  FieldOption,
  FieldValidation,
  ObjectType,
} from '../../records/custom-values/custom-values.schemas.ts'
import { findPatternProblem } from '../../records/custom-values/field-pattern.rules.ts'

type Problem = Omit<InputError, 'in'>

export type FieldDefinition = {
  object_type: ObjectType
  type: CustomFieldType
  options: FieldOption[]
  validation: FieldValidation
  is_unique: boolean
  is_searchable?: boolean
  maps_to: FieldMapping | null
}

const allowedValidation: Record<CustomFieldType, readonly (keyof FieldValidation)[]> = {
  text: ['min_length', 'max_length', 'pattern'],
  long_text: ['min_length', 'max_length', 'pattern'],
  number: ['min', 'max', 'decimals'],
  boolean: [],
  date: ['min', 'max'],
  datetime: ['min', 'max'],
  select: [],
  multi_select: ['max_selected'],
  url: ['https_only'],
  email: [],
  phone: [],
  money: ['min', 'max', 'currency'],
  user: ['active_only'],
}

const notUnique: readonly CustomFieldType[] = ['boolean', 'select', 'multi_select', 'money']

export function findDefinitionProblems(field: FieldDefinition): Problem[] {
  const { object_type, type, is_unique, is_searchable, maps_to } = field
  return [
    ...findOptionProblems(field),
    ...findValidationProblems(field),
    ...(is_unique && notUnique.includes(type)
      ? [{ path: '/is_unique', code: 'type', message: `A field of type \`${type}\` cannot be unique.` }]
      : []),
    ...(is_searchable && !searchableTypes.includes(type)
      ? [{ path: '/is_searchable', code: 'type', message: `A field of type \`${type}\` cannot be searchable.` }]
      : []),
    ...(maps_to && object_type !== 'lead'
      ? [{ path: '/maps_to', code: 'object_type', message: '`maps_to` is only allowed for fields of leads.' }]
      : []),
  ]
}

const hasOptions = (type: CustomFieldType) => type === 'select' || type === 'multi_select'

function findOptionProblems({ type, options }: FieldDefinition): Problem[] {
  if (!hasOptions(type))
    return options.length
      ? [{ path: '/options', code: 'type', message: `A field of type \`${type}\` cannot have \`options\`.` }]
      : []
  if (!options.length)
    return [{ path: '/options', code: 'minItems', message: '`options` must have at least one option.' }]
  return options.flatMap(({ key }, index) =>
    options.findIndex((option) => option.key === key) === index
      ? []
      : [{ path: `/options/${index}/key`, code: 'duplicate', message: `The option \`${key}\` must not occur twice.` }],
  )
}

function findValidationProblems({ type, validation }: FieldDefinition): Problem[] {
  const problems: Problem[] = []
  const add = (name: string, code: string, message: string) =>
    problems.push({ path: `/validation/${name}`, code, message })
  for (const name of Object.keys(validation) as (keyof FieldValidation)[])
    if (!allowedValidation[type].includes(name)) add(name, 'type', `\`${name}\` is not allowed for type \`${type}\`.`)
  if (problems.length) return problems
  const { min_length, max_length, pattern, min, max, currency } = validation
  if (min_length !== undefined && max_length !== undefined && min_length > max_length)
    add('max_length', 'order', '`max_length` must not be less than `min_length`.')
  const patternProblem = pattern === undefined ? undefined : findPatternProblem(pattern)
  if (patternProblem) add('pattern', 'pattern', `\`pattern\` ${patternProblem}.`)
  if (currency !== undefined && !isCurrency(currency))
    add('currency', 'currency', '`currency` must be an ISO 4217 code.')
  for (const name of ['min', 'max'] as const)
    if (validation[name] !== undefined && !isBound(type, validation[name]))
      add(name, 'format', `\`${name}\` must be ${boundForms[type as keyof typeof boundForms]}.`)
  if (min !== undefined && max !== undefined && isOutOfOrder(type, min, max))
    add('max', 'order', '`max` must not be less than `min`.')
  return problems
}

const boundForms = {
  number: 'a number',
  money: 'an amount in the base currency, such as "100.00"',
  date: 'a date such as 2026-03-01, or `today`',
  datetime: 'an RFC 3339 timestamp, or `today`',
}

const amountPattern = /^-?(0|[1-9]\d{0,14})(\.\d{1,2})?$/

function isBound(type: CustomFieldType, bound: string | number): boolean {
  if (type === 'number') return typeof bound === 'number'
  if (typeof bound !== 'string') return false
  if (type === 'money') return amountPattern.test(bound)
  if (bound === 'today') return true
  return type === 'date' ? isDate(bound) : isDateTime(bound)
}

function isOutOfOrder(type: CustomFieldType, min: string | number, max: string | number): boolean {
  if (min === 'today' || max === 'today') return false
  if (type === 'money') return Number(min) > Number(max)
  return type === 'datetime' ? Date.parse(String(min)) > Date.parse(String(max)) : min > max
}

/** Returns undefined if the label contains no letter or digit of the key alphabet. */
export function keyFromLabel(label: string): string | undefined {
  const words =
    label
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('_') ?? ''
  const key = /^\d/.test(words) ? `field_${words}` : words
  return trimEndOf(key.slice(0, 50), /_/) || undefined
}

const typeChanges: Partial<Record<CustomFieldType, CustomFieldType>> = { text: 'long_text', select: 'multi_select' }

export const allowedTypesAfter = (type: CustomFieldType): CustomFieldType[] =>
  typeChanges[type] === undefined ? [] : [typeChanges[type]]

export const withDefaults = (
  options: readonly { key: string; label: string; color?: string | null; is_active?: boolean }[],
) => options.map(({ key, label, color = null, is_active = true }): FieldOption => ({ key, label, color, is_active }))
