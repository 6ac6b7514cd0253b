import { wordsOf } from './caseless.rules.ts'
import { addDays } from './days.rules.ts'
import type { PositiveOperator } from './operators.rules.ts'
import {
  moneyReader,
  optionReader,
  type Report,
  readDay,
  readDayCount,
  readId,
  readList,
  readNumber,
  readSpan,
  readText,
} from './read-value.rules.ts'
import type { Comparison, Test } from './rule.rules.ts'
import type { Field, Vocabulary } from './vocabulary.rules.ts'

type Read<T> = (value: unknown, report: Report, pointer?: string) => T | undefined

/** What an operator of a field asks, or undefined once the problems of its value are noted. */
export function parseTest(
  field: Field,
  op: PositiveOperator,
  value: unknown,
  { currency }: Vocabulary,
  report: Report,
): Test | undefined {
  if (op === 'is_set' || op === 'is_me') return { asks: op }
  switch (field.type) {
    case 'text':
      return textTest(op, value, report)
    case 'number':
      return amountTest(op, value, report, readNumber)
    case 'money':
      return amountTest(op, value, report, moneyReader(currency))
    case 'boolean':
      return { asks: 'is_true' }
    case 'date':
    case 'datetime':
      return dayTest(op, value, report)
    case 'select':
      return choiceTest(op, value, report, optionReader(field.options))
    case 'user':
    case 'reference':
      return choiceTest(op, value, report, readId)
    case 'multi_select':
      return collectionTest(op, value, report, optionReader(field.options))
    case 'tags':
      return collectionTest(op, value, report, readText)
  }
}

function textTest(op: PositiveOperator, value: unknown, report: Report): Test | undefined {
  if (op === 'has_any_word') {
    const phrases = readList(value, report, readPhrase)
    return phrases && { asks: 'has_phrase', phrases }
  }
  if (op !== 'starts_with' && op !== 'contains') return choiceTest(op, value, report, readText)
  const text = readText(value, report)
  return text === undefined ? undefined : { asks: op, text }
}

/** Usually one word; several are looked for one after the other. */
function readPhrase(value: unknown, report: Report, pointer: string): string | undefined {
  const text = readText(value, report, pointer)
  if (text === undefined) return undefined
  return wordsOf(text).trim() || report(pointer, 'empty', 'There is no word in this text.')
}

function choiceTest(op: PositiveOperator, value: unknown, report: Report, read: Read<string>): Test | undefined {
  if (op === 'in') {
    const values = readList(value, report, read)
    return values && { asks: 'is_one_of', values }
  }
  const only = read(value, report)
  return only === undefined ? undefined : { asks: 'is_one_of', values: [only] }
}

function collectionTest(op: PositiveOperator, value: unknown, report: Report, read: Read<string>): Test | undefined {
  const values = readList(value, report, read)
  return values && { asks: 'carries', values, every: op === 'contains_all' }
}

const comparisons: Partial<Record<PositiveOperator, Comparison>> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function amountTest(op: PositiveOperator, value: unknown, report: Report, read: Read<number>): Test | undefined {
  if (op === 'between') {
    const span = readSpan(value, report, read)
    if (!span) return undefined
    const [low, high] = span
    return {
      asks: 'compares',
      bounds: [
        { is: '>=', than: low },
        { is: '<=', than: high },
      ],
    }
  }
  const than = read(value, report)
  return than === undefined ? undefined : { asks: 'compares', bounds: [{ is: comparisons[op]!, than }] }
}

function dayTest(op: PositiveOperator, value: unknown, report: Report): Test | undefined {
  if (op === 'between') {
    const span = readSpan(value, report, readDay)
    return span && { asks: 'falls_on', from: span[0], through: span[1] }
  }
  if (op === 'on' || op === 'before' || op === 'after') {
    const day = readDay(value, report)
    return day === undefined ? undefined : { asks: 'falls_on', ...calendarSpans[op](day) }
  }
  const days = readDayCount(value, report)
  return days === undefined
    ? undefined
    : { asks: 'falls_on', ...spansFromToday[op as keyof typeof spansFromToday](days) }
}

const calendarSpans = {
  on: (day: string) => ({ from: day, through: day }),
  before: (day: string) => ({ through: addDays(day, -1) }),
  after: (day: string) => ({ from: addDays(day, 1) }),
}

/** Today is the last of the last days and the first of the next ones. */
const spansFromToday = {
  in_last_days: (days: number) => ({ from: { daysFromToday: -days }, through: { daysFromToday: 0 } }),
  in_next_days: (days: number) => ({ from: { daysFromToday: 0 }, through: { daysFromToday: days } }),
  more_than_days_ago: (days: number) => ({ through: { daysFromToday: -days - 1 } }),
}
