import { AppError, type InputError, shortenText } from '#platform/errors'
import { type Money, toMinor } from '#platform/money'
import { isDate, isStorableText } from '#platform/schema'

const maxLength = 500
const maxValues = 500
const maxNumber = 1e15
const maxDays = 3_650

/** Adds a problem at a pointer below the value; returns undefined, so that parsers can return its result. */
export type Report = (pointer: string, code: string, message: string) => undefined

export function parseText(value: unknown, report: Report, pointer = ''): string | undefined {
  if (typeof value !== 'string') return report(pointer, 'type', 'The value must be text.')
  const text = value.trim()
  if (!text)
    return report(pointer, 'empty', 'The text must not be empty. Use `is_not_set` to find records without a value.')
  if (text.length > maxLength)
    return report(pointer, 'length', `The text must not have more than ${maxLength} characters.`)
  // A rule in a query string has not passed the check of the body.
  if (!isStorableText(text)) return report(pointer, 'characters', 'The text contains characters that cannot be stored.')
  return text
}

export const toPointerSegment = (name: string): string => shorten(name).replaceAll('~', '~0').replaceAll('/', '~1')

export const shorten = (text: string): string => shortenText(text, 60)

export function parseList<T>(
  value: unknown,
  report: Report,
  parseItem: (item: unknown, report: Report, pointer: string) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(value)) return report('', 'type', 'The value must be a list.')
  if (value.length === 0) return report('', 'empty', 'The list must contain at least one value.')
  if (value.length > maxValues)
    return report('', 'too_many', `The list must not contain more than ${maxValues} values.`)
  const items = value.map((item, index) => parseItem(item, report, `/${index}`))
  return items.every((item) => item !== undefined) ? (items as T[]) : undefined
}

export function parseRange<T extends string | number>(
  value: unknown,
  report: Report,
  parseItem: (item: unknown, report: Report, pointer: string) => T | undefined,
): [T, T] | undefined {
  if (!Array.isArray(value) || value.length !== 2)
    return report('', 'type', 'The value must be a list of two values, lower value first.')
  const [low, high] = [parseItem(value[0], report, '/0'), parseItem(value[1], report, '/1')]
  if (low === undefined || high === undefined) return undefined
  return low <= high ? [low, high] : report('', 'order', 'The first value must not be greater than the second.')
}

export function parseNumber(value: unknown, report: Report, pointer = ''): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return report(pointer, 'type', 'The value must be a number.')
  if (Math.abs(value) > maxNumber) return report(pointer, 'range', 'The number is too large.')
  return value
}

export const moneyParser =
  (currency: string) =>
  (value: unknown, report: Report, pointer = ''): number | undefined => {
    if (!isMoney(value)) {
      const message = `The value must be an amount such as {"amount": "100.00", "currency": "${currency}"}.`
      return report(pointer, 'type', message)
    }
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

export function parseDay(value: unknown, report: Report, pointer = ''): string | undefined {
  const isDay = typeof value === 'string' && /^(19|20|21)/.test(value) && isDate(value)
  return isDay ? value : report(pointer, 'format', 'The value must be a date in the format YYYY-MM-DD.')
}

export function parseDayCount(value: unknown, report: Report): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value))
    return report('', 'type', 'The number of days must be an integer.')
  if (value < 0 || value > maxDays) return report('', 'range', `The number of days must be between 0 and ${maxDays}.`)
  return value
}

export function parseId(value: unknown, report: Report, pointer = ''): string | undefined {
  const isId = typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
  return isId ? value : report(pointer, 'format', 'The value must be the id of a record (a UUID in lower case).')
}

export const optionParser =
  (options: readonly string[] | undefined) =>
  (value: unknown, report: Report, pointer = ''): string | undefined => {
    const option = parseText(value, report, pointer)
    if (option === undefined || !options || options.includes(option)) return option
    const shown = options.slice(0, 20).join(', ')
    return report(pointer, 'unknown_option', `The value must be one of: ${shown}${options.length > 20 ? ', …' : ''}.`)
  }
