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
