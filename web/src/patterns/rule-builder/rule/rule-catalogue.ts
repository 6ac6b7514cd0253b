import type { Schemas } from '../../../api/client.ts'
import type { Group, Rule } from './rule-tree.ts'
import { isGroup, listConditions, type RuleNode } from './rule-tree.ts'

export type Catalogue = Schemas['RuleCatalogue']
export type RuleField = Catalogue['fields'][number]
export type RuleFact = Catalogue['facts'][number]
export type Operator = RuleField['operators'][number]
export type Parameter = RuleFact['parameters'][number]
export type ReferenceKind = NonNullable<RuleField['reference']>

export type ValueKind = 'text' | 'number' | 'days' | 'money' | 'date' | 'boolean' | 'option' | 'record'

export type FieldCondition = { kind: 'field'; rule: Rule; field: RuleField; operator: Operator | undefined }
export type FactCondition = { kind: 'fact'; rule: Rule; fact: RuleFact }
/** A field or fact that does not exist, such as a custom field that was deleted. */
export type UnknownCondition = { kind: 'unknown'; rule: Rule; name: string }
export type KnownCondition = FieldCondition | FactCondition | UnknownCondition

export function readCondition(rule: Rule, { fields, facts }: Catalogue): KnownCondition {
  const fact = facts.find(({ key }) => key === rule.fact)
  if (fact) return { kind: 'fact', rule, fact }
  const field = fields.find(({ key }) => key === rule.field)
  if (!field) return { kind: 'unknown', rule, name: String(rule.field ?? rule.fact ?? '') }
  return { kind: 'field', rule, field, operator: field.operators.find(({ key }) => key === rule.op) }
}

export function valueKindOf({ type, options }: Pick<RuleField, 'type' | 'options'>, { key }: Operator): ValueKind {
  if (type === 'date' || type === 'datetime') return key.includes('days') ? 'days' : 'date'
  if (type === 'user' || type === 'reference') return 'record'
  if (type === 'number' || type === 'money' || type === 'boolean') return type
  return options.length > 0 ? 'option' : 'text'
}

export function parameterKindOf({ type, options }: Parameter): ValueKind {
  if (type === 'reference') return 'record'
  if (type === 'number' || type === 'money' || type === 'boolean') return type
  return options.length > 0 ? 'option' : 'text'
}

export const isList = ({ type }: Parameter): boolean => type === 'texts' || type === 'multi_select'

/** The parameters that a line shows: the required ones, and those with a value or whose value is still to be entered. */
export const shownParameters = ({ rule, fact }: FactCondition): readonly Parameter[] =>
  fact.parameters.filter(({ key, is_required }) => is_required || key in rule)

export const hiddenParameters = (condition: FactCondition): readonly Parameter[] =>
  condition.fact.parameters.filter((parameter) => !shownParameters(condition).includes(parameter))

const usualOperators: Readonly<Partial<Record<RuleField['type'], string>>> = {
  text: 'in',
  select: 'in',
  user: 'in',
  reference: 'in',
  number: 'gte',
  money: 'gte',
  date: 'in_last_days',
  datetime: 'in_last_days',
}

/** The rule of a line that has just got this field. The operator stays if the new field has it. */
export function ruleOfField(field: RuleField, before?: Rule): Rule {
  const named = (key: unknown) => field.operators.find((operator) => operator.key === key)
  const operator = named(before?.op) ?? named(usualOperators[field.type]) ?? field.operators[0]!
  const isChoice = field.type === 'boolean' && operator.value === 'one'
  return { field: field.key, op: operator.key, ...(isChoice && { value: true }) }
}

/** A reference that comes first says what the fact is about, so it is asked for even if it is not required. */
export function ruleOfFact({ key, parameters }: RuleFact): Rule {
  const [first] = parameters
  return { fact: key, ...(first?.type === 'reference' && { [first.key]: null }) }
}

/** The rule with another operator, which keeps as much of the value as it can. */
export function withOperator({ rule, field, operator: before }: FieldCondition, operator: Operator): Rule {
  const { value: _, ...rest }: Rule = { ...rule, op: operator.key }
  const isSameKind = before !== undefined && valueKindOf(field, before) === valueKindOf(field, operator)
  const values = isSameKind ? valuesOf(rule.value) : []
  const [first] = values
  if (operator.value === 'none' || first === undefined) return { ...rest, ...initialValue(field, operator) }
  if (operator.value === 'many') return { ...rest, value: before?.value === 'range' ? [first] : values }
  if (operator.value === 'range') return { ...rest, value: [first, values[1] ?? null] }
  return { ...rest, value: first }
}

const initialValue = ({ type }: RuleField, { value }: Operator): { value?: boolean } =>
  type === 'boolean' && value === 'one' ? { value: true } : {}

export const valuesOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value.filter((one) => one !== null)
  return value === undefined || value === null ? [] : [value]
}

const isEntered = (value: unknown): boolean =>
  value !== null && value !== undefined && !(typeof value === 'string' && value.trim() === '')

function isFieldComplete({ rule: { value }, operator }: FieldCondition): boolean {
  switch (operator?.value) {
    case 'none':
      return true
    case 'many':
      return Array.isArray(value) && value.length > 0
    case 'range':
      return Array.isArray(value) && value.length === 2 && value.every(isEntered)
    default:
      return isEntered(value)
  }
}

const isFactComplete = (condition: FactCondition): boolean =>
  shownParameters(condition).every(({ key }) => {
    const value = condition.rule[key]
    return Array.isArray(value) ? value.length > 0 : isEntered(value)
  })

/** Whether everything that the line needs is entered. The server says whether it is valid. */
export function isComplete(rule: Rule, catalogue: Catalogue): boolean {
  const condition = readCondition(rule, catalogue)
  if (condition.kind === 'field') return isFieldComplete(condition)
  return condition.kind === 'unknown' ? Object.keys(rule).length > 0 : isFactComplete(condition)
}

export const findIncomplete = (tree: Group, catalogue: Catalogue): string[] =>
  listConditions(tree)
    .filter(({ rule }) => !isComplete(rule, catalogue))
    .map(({ id }) => id)

/** The part of the rule that can be counted, without lines that are not complete and groups that have no others. */
export function withoutIncomplete(tree: Group, catalogue: Catalogue): Group {
  const keep = (node: RuleNode): readonly RuleNode[] => {
    if (!isGroup(node)) return isComplete(node.rule, catalogue) ? [node] : []
    const items = node.items.flatMap(keep)
    return items.length > 0 || node.items.length === 0 ? [{ ...node, items }] : []
  }
  return { ...tree, items: tree.items.flatMap(keep) }
}

export type Reference = { kind: ReferenceKind; id: string }

export function listReferences(tree: Group, catalogue: Catalogue): Reference[] {
  const references = listConditions(tree).flatMap(({ rule }) => {
    const condition = readCondition(rule, catalogue)
    if (condition.kind === 'unknown') return []
    if (condition.kind === 'field') return referencesIn(condition.field.reference, rule.value)
    return condition.fact.parameters.flatMap(({ key, reference }) => referencesIn(reference, rule[key]))
  })
  return [...new Map(references.map((reference) => [nameKey(reference), reference])).values()]
}

const referencesIn = (kind: ReferenceKind | null | undefined, value: unknown): Reference[] =>
  kind ? valuesOf(value).flatMap((id) => (typeof id === 'string' ? [{ kind, id }] : [])) : []

export const nameKey = ({ kind, id }: Reference): string => `${kind}:${id}`
