import { AppError, type InputError } from '#platform/errors'
import { type Money, toMinor } from '#platform/money'

const maxLength = 500
const maxValues = 500
const largestNumber = 1e15
const maxDays = 3_650

/** Notes a problem at a pointer below the value. It answers undefined, which stands for "cannot be read". */
export type Report = (pointer: string, code: string, message: string) => undefined

export function readText(value: unknown, report: Report, pointer = ''): string | undefined {
  if (typeof value !== 'string') return report(pointer, 'type', 'Give a text.')
  const text = value.trim()
  if (!text) return report(pointer, 'empty', 'The text is empty. To look for records without a value, use is_not_set.')
  if (text.length > maxLength) return report(pointer, 'length', `A text has at most ${maxLength} characters.`)
  if (!isStorableText(text)) return report(pointer, 'characters', 'The text contains characters that cannot be stored.')
  return text
}

/** A rule may come out of a query string, where nobody else has looked into it. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A member's name as part of a JSON pointer. */
export const pointerTo = (name: string): string => short(name).replaceAll('~', '~0').replaceAll('/', '~1')

/** So much of what somebody wrote as fits into a sentence. */
export const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Every value of a list is read, so that each wrong one is named. */
export function readList<T>(
  value: unknown,
  report: Report,
  readItem: (item: unknown, report: Report, pointer: string) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(value)) return report('', 'type', 'Give a list of values.')
  if (value.length === 0) return report('', 'empty', 'The list is empty. Give at least one value.')
  if (value.length > maxValues) return report('', 'too_many', `A list has at most ${maxValues} values.`)
  const items = value.map((item, index) => readItem(item, report, `/${index}`))
  return items.every((item) => item !== undefined) ? (items as T[]) : undefined
}

/** Two values, the lower one first. */
export function readSpan<T extends string | number>(
  value: unknown,
  report: Report,
  readItem: (item: unknown, report: Report, pointer: string) => T | undefined,
): [T, T] | undefined {
  if (!Array.isArray(value) || value.length !== 2)
    return report('', 'type', 'Give a list of two values, the lower one first.')
  const [low, high] = [readItem(value[0], report, '/0'), readItem(value[1], report, '/1')]
  if (low === undefined || high === undefined) return undefined
  return low <= high ? [low, high] : report('', 'order', 'Give the lower value first.')
}

export function readNumber(value: unknown, report: Report, pointer = ''): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return report(pointer, 'type', 'Give a number.')
  if (Math.abs(value) > largestNumber) return report(pointer, 'range', 'The number is too large.')
  return value
}

/** In whole minor units. */
export const moneyReader =
  (currency: string) =>
  (value: unknown, report: Report, pointer = ''): number | undefined => {
    if (!isMoney(value))
      return report(pointer, 'type', `Give an amount: {"amount": "100.00", "currency": "${currency}"}.`)
    try {
      return toMinor(value, currency, pointer)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      for (const { path, code, message } of error.extra.errors as InputError[]) report(path, code, message)
      return undefined
    }
  }

const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).sort().join() === 'amount,currency' &&
  /^-?(0|[1-9]\d{0,15})(\.\d{1,6})?$/.test(String((value as Money).amount)) &&
  typeof (value as Money).amount === 'string' &&
  typeof (value as Money).currency === 'string'

export function readDay(value: unknown, report: Report, pointer = ''): string | undefined {
  const isDay = typeof value === 'string' && /^(19|20|21)\d\d-\d\d-\d\d$/.test(value) && isInCalendar(value)
  return isDay ? value : report(pointer, 'format', 'Give a day as YYYY-MM-DD.')
}

function isInCalendar(day: string): boolean {
  const date = new Date(day)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

export function readDayCount(value: unknown, report: Report): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return report('', 'type', 'Give a whole number of days.')
  if (value < 0 || value > maxDays) return report('', 'range', `Give 0 to ${maxDays} days.`)
  return value
}

export function readId(value: unknown, report: Report, pointer = ''): string | undefined {
  const isId = typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
  return isId ? value : report(pointer, 'format', 'Give the id of a record.')
}

export const optionReader =
  (options: readonly string[] | undefined) =>
  (value: unknown, report: Report, pointer = ''): string | undefined => {
    const option = readText(value, report, pointer)
    if (option === undefined || !options || options.includes(option)) return option
    const shown = options.slice(0, 20).join(', ')
    return report(pointer, 'unknown_option', `Choose one of: ${shown}${options.length > 20 ? ', …' : ''}.`)
  }
