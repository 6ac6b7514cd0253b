import { addDays } from '#platform/calendar'
import type { PositiveOperator } from './match-rule.rules.ts'
import {
  moneyParser,
  optionParser,
  parseDay,
  parseDayCount,
  parseId,
  parseList,
  parseNumber,
  parseRange,
  parseText,
  type Report,
} from './parse-value.rules.ts'
import type { ComparisonOperator, FieldPredicate } from './rule.rules.ts'
import { normalizeWords } from './text-folding.rules.ts'
import type { RuleField, RuleVocabulary } from './vocabulary.rules.ts'

type ValueParser<T> = (value: unknown, report: Report, pointer?: string) => T | undefined

export function parsePredicate(
  field: RuleField,
  op: PositiveOperator,
  value: unknown,
  { currency }: RuleVocabulary,
  report: Report,
): FieldPredicate | undefined {
  if (op === 'is_set' || op === 'is_me') return { type: op }
  switch (field.type) {
    case 'text':
      return parseTextPredicate(op, value, report)
    case 'number':
      return parseAmountPredicate(op, value, report, parseNumber)
    case 'money':
      return parseAmountPredicate(op, value, report, moneyParser(currency))
    case 'boolean':
      return { type: 'is_true' }
    case 'date':
    case 'datetime':
      return parseDayPredicate(op, value, report)
    case 'select':
      return parseChoicePredicate(op, value, report, optionParser(field.options))
    case 'user':
    case 'reference':
      return parseChoicePredicate(op, value, report, parseId)
    case 'multi_select':
      return parseCollectionPredicate(op, value, report, optionParser(field.options))
    case 'tags':
      return parseCollectionPredicate(op, value, report, parseText)
  }
}

function parseTextPredicate(op: PositiveOperator, value: unknown, report: Report): FieldPredicate | undefined {
  if (op === 'has_any_word') {
    const phrases = parseList(value, report, parsePhrase)
    return phrases && { type: 'has_any_phrase', phrases }
  }
  if (op !== 'starts_with' && op !== 'contains') return parseChoicePredicate(op, value, report, parseText)
  const text = parseText(value, report)
  return text === undefined ? undefined : { type: op, text }
}

function parsePhrase(value: unknown, report: Report, pointer: string): string | undefined {
  const text = parseText(value, report, pointer)
  if (text === undefined) return undefined
  return normalizeWords(text).trim() || report(pointer, 'empty', 'The text must contain at least one word.')
}

function parseChoicePredicate(
  op: PositiveOperator,
  value: unknown,
  report: Report,
  parse: ValueParser<string>,
): FieldPredicate | undefined {
  if (op === 'in') {
    const values = parseList(value, report, parse)
    return values && { type: 'is_one_of', values }
  }
  const parsed = parse(value, report)
  return parsed === undefined ? undefined : { type: 'is_one_of', values: [parsed] }
}

function parseCollectionPredicate(
  op: PositiveOperator,
  value: unknown,
  report: Report,
  parse: ValueParser<string>,
): FieldPredicate | undefined {
  const values = parseList(value, report, parse)
  return values && { type: 'contains_values', values, needsAll: op === 'contains_all' }
}

const comparisonOperators: Partial<Record<PositiveOperator, ComparisonOperator>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

function parseAmountPredicate(
  op: PositiveOperator,
  value: unknown,
  report: Report,
  parse: ValueParser<number>,
): FieldPredicate | undefined {
  if (op === 'between') {
    const range = parseRange(value, report, parse)
    if (!range) return undefined
    const [low, high] = range
    return {
      type: 'within_bounds',
      bounds: [
        { operator: '>=', value: low },
        { operator: '<=', value: high },
      ],
    }
  }
  const amount = parse(value, report)
  if (amount === undefined) return undefined
  return { type: 'within_bounds', bounds: [{ operator: comparisonOperators[op]!, value: amount }] }
}

function parseDayPredicate(op: PositiveOperator, value: unknown, report: Report): FieldPredicate | undefined {
  if (op === 'between') {
    const range = parseRange(value, report, parseDay)
    return range && { type: 'on_days', from: range[0], through: range[1] }
  }
  if (op === 'on' || op === 'before' || op === 'after') {
    const day = parseDay(value, report)
    return day === undefined ? undefined : { type: 'on_days', ...absoluteSpans[op](day) }
  }
  const days = parseDayCount(value, report)
  return days === undefined ? undefined : { type: 'on_days', ...relativeSpans[op as keyof typeof relativeSpans](days) }
}

const absoluteSpans = {
  on: (day: string) => ({ from: day, through: day }),
  before: (day: string) => ({ through: addDays(day, -1) }),
  after: (day: string) => ({ from: addDays(day, 1) }),
}

const relativeSpans = {
  in_last_days: (days: number) => ({ from: { daysFromToday: -days }, through: { daysFromToday: 0 } }),
  in_next_days: (days: number) => ({ from: { daysFromToday: 0 }, through: { daysFromToday: days } }),
  more_than_days_ago: (days: number) => ({ through: { daysFromToday: -days - 1 } }),
}
