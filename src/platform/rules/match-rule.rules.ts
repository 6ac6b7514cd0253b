import {
  type Bound,
  type DaySpan,
  type FieldLeaf,
  type FieldPredicate,
  type PredicateOf,
  type Rule,
  toCalendarDays,
  toInstants,
} from './rule.rules.ts'
import { foldCase, normalizeWords } from './text-folding.rules.ts'
import { type FieldType, jsonTypes, type RuleContext, type RuleField } from './vocabulary.rules.ts'

const presence = ['is_set', 'is_not_set'] as const
const amounts = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', ...presence] as const
const days = [
  'on',
  'before',
  'after',
  'between',
  'in_last_days',
  'in_next_days',
  'more_than_days_ago',
  ...presence,
] as const
const choices = ['eq', 'neq', 'in', 'not_in', ...presence] as const
const collections = ['contains_any', 'contains_all', 'contains_none', ...presence] as const

export const operatorsOf = {
  text: ['eq', 'neq', 'in', 'not_in', 'starts_with', 'contains', 'not_contains', 'has_any_word', ...presence],
  number: amounts,
  money: amounts,
  boolean: ['is'],
  date: days,
  datetime: days,
  select: choices,
  user: [...choices, 'is_me'],
  reference: choices,
  multi_select: collections,
  tags: collections,
} as const satisfies Record<FieldType, readonly string[]>

type Operator = (typeof operatorsOf)[FieldType][number]
export type PositiveOperator = Exclude<Operator, keyof typeof negatedOperators>

/** Each negative operator is the exact complement of a positive one, so it also matches records without a value. */
const negatedOperators = {
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  contains_none: 'contains_any',
  is_not_set: 'is_set',
} as const

export const isOperatorOf = (type: FieldType, op: unknown): op is Operator =>
  (operatorsOf[type] as readonly unknown[]).includes(op)

export const isNegative = (op: Operator): op is keyof typeof negatedOperators => Object.hasOwn(negatedOperators, op)

export const positiveOf = (op: Operator): PositiveOperator => (isNegative(op) ? negatedOperators[op] : op)

/** Describes what an operator compares with: nothing, one value, a list of values, or the first and the last value of a range. */
type OperatorValue = 'none' | 'one' | 'many' | 'range'

export function valueKindOf(op: Operator): OperatorValue {
  switch (positiveOf(op)) {
    case 'is_set':
    case 'is_me':
      return 'none'
    case 'in':
    case 'has_any_word':
    case 'contains_any':
    case 'contains_all':
      return 'many'
    case 'between':
      return 'range'
    default:
      return 'one'
  }
}

export const operatorLabels: Record<Operator, string> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  starts_with: 'starts with',
  contains: 'contains',
  not_contains: 'does not contain',
  has_any_word: 'has one of the words',
  is_set: 'has a value',
  is_not_set: 'has no value',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  between: 'is between',
  is: 'is',
  on: 'is on',
  before: 'is before',
  after: 'is after',
  in_last_days: 'is in the last days',
  in_next_days: 'is in the next days',
  more_than_days_ago: 'is more than days ago',
  is_me: 'is the current user',
  contains_any: 'contains one of',
  contains_all: 'contains all of',
  contains_none: 'contains none of',
}

/** A row as the driver returns it: columns by name, jsonb and joined rows as objects. */
export type RuleRecord = Readonly<Record<string, unknown>>

/** Evaluates a rule without facts in memory; equivalent to `ruleCondition` in SQL. */
export function matchesRule(rule: Rule, record: RuleRecord, context: RuleContext): boolean {
  switch (rule.kind) {
    case 'all':
      return rule.parts.every((part) => matchesRule(part, record, context))
    case 'any':
      return rule.parts.some((part) => matchesRule(part, record, context))
    case 'not':
      return !matchesRule(rule.part, record, context)
    case 'field':
      return matchesLeaf(rule, record, context)
    case 'fact':
      throw new Error(`The fact ${rule.fact.name} can only be evaluated in SQL.`)
  }
}

function matchesLeaf({ field, predicate, isNegative }: FieldLeaf, record: RuleRecord, context: RuleContext): boolean {
  const value = readField(field, record)
  const isSatisfied = value !== null && value !== undefined && satisfies(predicate, field, value, context)
  return isSatisfied !== isNegative
}

function readField({ column, joinAlias, jsonKey, type }: RuleField, record: RuleRecord): unknown {
  const row = joinAlias === undefined ? record : memberOf(record, joinAlias)
  const value = memberOf(row, column)
  if (jsonKey === undefined) return value
  const json = memberOf(value, jsonKey)
  return jsonTypeOf(json) === jsonTypes[type] ? json : undefined
}

const jsonTypeOf = (json: unknown) => (Array.isArray(json) ? 'array' : typeof json)

const memberOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as RuleRecord)[name]
    : undefined

function satisfies(predicate: FieldPredicate, field: RuleField, value: unknown, context: RuleContext): boolean {
  switch (predicate.type) {
    case 'is_set':
      return Array.isArray(value) ? value.length > 0 : value !== ''
    case 'is_true':
      return value === true
    case 'is_me':
      return value === context.me
    case 'is_one_of':
      return isOneOf(value, predicate.values, field)
    case 'starts_with':
      return typeof value === 'string' && foldCase(value).startsWith(foldCase(predicate.text))
    case 'contains':
      return typeof value === 'string' && foldCase(value).includes(foldCase(predicate.text))
    case 'has_any_phrase':
      return typeof value === 'string' && hasAnyPhrase(normalizeWords(value), predicate.phrases)
    case 'within_bounds':
      return typeof value === 'number' && predicate.bounds.every((bound) => isWithin(value, bound))
    case 'on_days':
      return field.type === 'date' ? isOnDays(value, predicate, context) : isInstantOnDays(value, predicate, context)
    case 'contains_values':
      return Array.isArray(value) && containsValues(value, predicate)
  }
}

function isOneOf(value: unknown, values: readonly string[], { type }: RuleField): boolean {
  if (typeof value !== 'string') return false
  if (type !== 'text') return values.includes(value)
  const folded = foldCase(value)
  return values.some((one) => foldCase(one) === folded)
}

/** Expects words and phrases from `normalizeWords`; phrases match whole words. */
export const hasAnyPhrase = (words: string, phrases: readonly string[]) =>
  phrases.some((phrase) => words.includes(` ${phrase} `))

const containsValues = (list: unknown[], { values, needsAll }: PredicateOf<'contains_values'>) =>
  needsAll ? values.every((value) => list.includes(value)) : values.some((value) => list.includes(value))

function isWithin(value: number, bound: Bound): boolean {
  switch (bound.operator) {
    case '=':
      return value === bound.value
    case '>':
      return value > bound.value
    case '>=':
      return value >= bound.value
    case '<':
      return value < bound.value
    case '<=':
      return value <= bound.value
  }
}

function isOnDays(value: unknown, span: DaySpan, context: RuleContext): boolean {
  if (typeof value !== 'string') return false
  const { from, through } = toCalendarDays(span, context)
  return (!from || value >= from) && (!through || value <= through)
}

/** A column holds a Date, jsonb holds text; as ISO strings in UTC both sort by time. */
function isInstantOnDays(value: unknown, span: DaySpan, context: RuleContext): boolean {
  const instant = value instanceof Date ? value.toISOString() : String(value)
  const { since, until } = toInstants(span, context)
  return (!since || instant >= since) && (!until || instant < until)
}
