import { type Static, Type } from 'typebox'
import { operatorsOf } from '#platform/rules'
import { named, nullable, strict } from '#platform/schema'

const fieldTypes = Object.keys(operatorsOf) as (keyof typeof operatorsOf)[]

const Label = Type.String({ description: 'Name to show to users.' })
const Option = strict({ key: Type.String({ description: 'Value in a rule.' }), label: Label })
export type RuleOption = Static<typeof Option>

const Options = Type.Array(Option, {
  maxItems: 200,
  description: 'Allowed values; empty if any value of the type is allowed.',
})

export const referenceKinds = [
  'user',
  'account',
  'campaign',
  'segment',
  'cadence',
  'survey',
  'content',
  'room',
] as const

const ReferenceKind = nullable(
  Type.Enum([...referenceKinds], {
    description: 'Kind of record whose id the value is, for a search of records; null for other values.',
  }),
)

const RuleFieldDescription = strict({
  key: Type.String({ description: 'Value of `field` in a rule.' }),
  label: Label,
  group: nullable(Type.String({ description: 'Heading of related fields; null for those of the record itself.' })),
  type: Type.Enum(fieldTypes, { description: 'Type of the values.' }),
  reference: ReferenceKind,
  operators: Type.Array(
    strict({
      key: Type.String({ description: 'Value of `op` in a rule.' }),
      label: Label,
      value: Type.Enum(['none', 'one', 'many', 'range'], {
        description: 'Whether `value` is left out, one value, a list, or a list of the first and the last value.',
      }),
    }),
    { maxItems: 50, description: 'Operators that the field supports.' },
  ),
  options: Options,
})
export type RuleFieldDescription = Static<typeof RuleFieldDescription>

const RuleFactDescription = strict({
  key: Type.String({ description: 'Value of `fact` in a rule.' }),
  label: Label,
  parameters: Type.Array(
    strict({
      key: Type.String({ description: 'Name of the parameter, beside `fact` in the rule.' }),
      label: Label,
      type: Type.Enum(['reference', 'text', 'texts', 'number', 'boolean', 'select', 'multi_select', 'money'], {
        description: 'Type of the value. `reference`: id of a record; `texts` and `multi_select`: a list.',
      }),
      reference: ReferenceKind,
      is_required: Type.Boolean({ description: 'Whether a rule with the fact needs the parameter.' }),
      options: Options,
    }),
    { maxItems: 50, description: 'Parameters of the fact.' },
  ),
})
export type RuleFactDescription = Static<typeof RuleFactDescription>

export const RuleCatalogue = named(
  'RuleCatalogue',
  strict({
    fields: Type.Array(RuleFieldDescription, {
      maxItems: 1_000,
      description: 'Fields of rules, including filterable custom fields.',
    }),
    facts: Type.Array(RuleFactDescription, { maxItems: 100, description: 'Facts of rules, such as activities.' }),
  }),
)
export type RuleCatalogue = Static<typeof RuleCatalogue>
