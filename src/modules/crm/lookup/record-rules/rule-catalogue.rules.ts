import type { TSchema } from 'typebox'
import type { RuleFact } from '#platform/module'
import { operatorLabels, operatorsOf, type RuleField, toFieldLabel, valueKindOf } from '#platform/rules'
import type { CustomFieldRow } from '../../records/custom-values/field-definitions.queries.ts'
import {
  type RuleFactDescription,
  type RuleFieldDescription,
  type RuleOption,
  referenceKinds,
} from './rule-catalogue.schemas.ts'

const toOption = (key: string): RuleOption => ({ key, label: toFieldLabel(key) })

/** `account.custom.tier` has the group of the account; a custom field has its own label and options. */
export function describeField(key: string, field: RuleField, definition?: CustomFieldRow): RuleFieldDescription {
  const [group, rest] = /^(account|utm|address)\.(.+)$/.exec(key)?.slice(1) ?? [null, key]
  const options = 'options' in field ? (field.options ?? []) : []
  const labels = new Map(definition?.options.map((option) => [option.key, option.label]))
  return {
    key,
    label: definition?.label ?? toFieldLabel(rest!),
    group: group ? toFieldLabel(group) : (definition?.group_label ?? null),
    type: field.type,
    reference: field.type === 'user' ? 'user' : field.type === 'reference' ? referenceOf(key) : null,
    operators: operatorsOf[field.type].map((op) => ({ key: op, label: operatorLabels[op], value: valueKindOf(op) })),
    options: options.map((option) => ({ key: option, label: labels.get(option) ?? toOption(option).label })),
  }
}

export function describeFact({ name, params }: RuleFact): RuleFactDescription {
  const required = (params.required ?? []) as readonly string[]
  const parameters = Object.entries(params.properties).map(([key, schema]) => ({
    key,
    label: toFieldLabel(key),
    ...describeParameter(key, schema as ParameterSchema),
    is_required: required.includes(key) && (schema as ParameterSchema).default === undefined,
  }))
  return { key: name, label: toFieldLabel(name), parameters }
}

type ParameterSchema = TSchema & {
  type?: string
  format?: string
  enum?: readonly string[]
  items?: ParameterSchema
  default?: unknown
  'x-parameter-type'?: 'money'
}
type Parameter = RuleFactDescription['parameters'][number]

function describeParameter(key: string, schema: ParameterSchema): Pick<Parameter, 'type' | 'reference' | 'options'> {
  const one = schema.items ?? schema
  const isList = schema.type === 'array'
  if (one.enum) return { type: isList ? 'multi_select' : 'select', reference: null, options: one.enum.map(toOption) }
  const type = isList ? 'texts' : typeOf(one)
  return { type, reference: type === 'reference' ? referenceOf(key) : null, options: [] }
}

/** The kind of record is in the name: `parent_account_id` is the id of an account. */
function referenceOf(key: string): Parameter['reference'] {
  const kind = /(?:^|[._])([a-z]+)_id$/.exec(key)?.[1]
  return referenceKinds.find((known) => known === kind) ?? null
}

function typeOf(schema: ParameterSchema): Parameter['type'] {
  if (schema['x-parameter-type']) return schema['x-parameter-type']
  if (schema.type === 'string') return schema.format === 'uuid' ? 'reference' : 'text'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'boolean'
  throw new Error(`The parameter type ${schema.type} of a fact has no description.`)
}
