import type { FieldType } from './vocabulary.rules.ts'

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

export type Operator = (typeof operatorsOf)[FieldType][number]
export type PositiveOperator = Exclude<Operator, keyof typeof negatedOperators>

/** Each negative operator is the exact complement of a positive one, so it also matches records without a value. */
export const negatedOperators = {
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
export type OperatorValue = 'none' | 'one' | 'many' | 'range'

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
