import { isCurrency, type Money, parseAmount, toMoney } from '#platform/money'
import { isDate, isDateTime } from '#platform/schema'
import { phoneE164 } from '../person-keys/person-keys.ts'
import type { CustomFieldType, FieldValidation } from './custom-values.schemas.ts'
import type { CustomFieldRow } from './field-definitions.queries.ts'
import { matchesPattern, maxLengthOfPattern } from './field-pattern.rules.ts'

/** Definition of a field as far as values depend on it. */
export type ValueField = Pick<CustomFieldRow, 'key' | 'label' | 'type' | 'options' | 'validation'>

export type Problem = { code: string; message: string }
type Parsed = { value: unknown } | { problem: Problem }
export type Today = { day: string; now: Date }

const fail = (code: string, message: string): Parsed => ({ problem: { code, message } })

const maxLengths: Partial<Record<CustomFieldType, number>> = { text: 1_000, long_text: 20_000, url: 2_000, email: 254 }

/** Checks a value that is not null and returns its stored form. */
export function parseFieldValue(field: ValueField, value: unknown, today: Today): Parsed {
  return parsers[field.type](value, field, today)
}

type Parser = (value: unknown, field: ValueField, today: Today) => Parsed

function parseText(value: unknown, { key, type, validation }: ValueField): Parsed {
  if (typeof value !== 'string') return fail('type', `\`${key}\` must be a string.`)
  const { min_length = 1, pattern } = validation
  const max = Math.min(validation.max_length ?? Number.POSITIVE_INFINITY, maxLengths[type]!)
  if (value.length < min_length) return fail('minLength', `\`${key}\` must have at least ${min_length} characters.`)
  if (value.length > max) return fail('maxLength', `\`${key}\` must have at most ${max} characters.`)
  return pattern === undefined ? { value } : checkPattern(key, pattern, value)
}

function checkPattern(key: string, pattern: string, value: string): Parsed {
  const max = maxLengthOfPattern(pattern)
  if (!max)
    return fail(
      'pattern',
      `\`${key}\` cannot be set, because the pattern of the field is too complex. Change the field.`,
    )
  if (value.length > max)
    return fail('maxLength', `\`${key}\` must have at most ${max} characters, because the field has a pattern.`)
  return matchesPattern(pattern, value) ? { value } : fail('pattern', `\`${key}\` must match the pattern ${pattern}.`)
}

function parseNumber(value: unknown, { key, validation }: ValueField): Parsed {
  if (typeof value !== 'number') return fail('type', `\`${key}\` must be a number.`)
  const { decimals = 6 } = validation
  const [digits, exponent] = Math.abs(value).toExponential().split('e') as [string, string]
  const significant = digits.replace('.', '').length
  const fraction = Math.max(0, significant - 1 - Number(exponent))
  if (significant > 15) return fail('digits', `\`${key}\` must have at most 15 digits.`)
  if (fraction > decimals) return fail('decimals', `\`${key}\` must have at most ${decimals} decimals.`)
  return checkBounds(value, value, key, validation as { min?: number; max?: number })
}

function checkBounds<T extends string | number>(
  value: unknown,
  compared: T,
  key: string,
  { min, max }: { min?: T; max?: T },
): Parsed {
  if (min !== undefined && compared < min) return fail('minimum', `\`${key}\` must not be less than ${min}.`)
  if (max !== undefined && compared > max) return fail('maximum', `\`${key}\` must not be greater than ${max}.`)
  return { value }
}

const parseBoolean: Parser = (value, { key }) =>
  typeof value === 'boolean' ? { value } : fail('type', `\`${key}\` must be true or false.`)

const yearPattern = /^(19|20|21)\d\d-/

function parseDate(value: unknown, { key, validation }: ValueField, { day }: Today): Parsed {
  if (typeof value !== 'string' || !yearPattern.test(value) || !isDate(value))
    return fail('format', `\`${key}\` must be a date such as 2026-03-01.`)
  const bound = (limit: unknown) => (limit === 'today' ? day : (limit as string | undefined))
  return checkBounds(value, value, key, { min: bound(validation.min), max: bound(validation.max) })
}

/** Stores instants in one notation, so that texts sort by time. */
function parseDatetime(value: unknown, { key, validation }: ValueField, { now }: Today): Parsed {
  if (typeof value !== 'string' || !yearPattern.test(value) || !isDateTime(value))
    return fail('format', `\`${key}\` must be an RFC 3339 timestamp such as 2026-03-01T09:30:00Z.`)
  const stored = new Date(value).toISOString()
  const bound = (limit: unknown) =>
    limit === undefined ? undefined : (limit === 'today' ? now : new Date(limit as string)).toISOString()
  return checkBounds(stored, stored, key, { min: bound(validation.min), max: bound(validation.max) })
}

const activeKeys = ({ options }: ValueField) => options.filter(({ is_active }) => is_active).map(({ key }) => key)

function parseSelect(value: unknown, field: ValueField): Parsed {
  const keys = activeKeys(field)
  if (typeof value !== 'string' || !keys.includes(value))
    return fail('enum', `\`${field.key}\` must be one of: ${shown(keys)}.`)
  return { value }
}

function parseMultiSelect(value: unknown, field: ValueField): Parsed {
  const { key, validation } = field
  if (!Array.isArray(value)) return fail('type', `\`${key}\` must be a list of option keys.`)
  const keys = activeKeys(field)
  if (value.some((item) => !keys.includes(item))) return fail('enum', `\`${key}\` must only contain: ${shown(keys)}.`)
  if (new Set(value).size < value.length) return fail('uniqueItems', `\`${key}\` must not contain an option twice.`)
  const { max_selected = keys.length } = validation
  if (value.length > max_selected)
    return fail('maxItems', `\`${key}\` must not have more than ${max_selected} selected options.`)
  return { value: value.length ? keys.filter((option) => value.includes(option)) : null }
}

const shown = (keys: string[]) => (keys.length > 20 ? `${keys.slice(0, 20).join(', ')}, …` : keys.join(', '))

function parseUrl(value: unknown, field: ValueField): Parsed {
  const text = parseText(value, { ...field, validation: {} })
  if ('problem' in text) return text
  const { key, validation } = field
  const protocol = URL.parse(value as string)?.protocol
  if (protocol === 'https:' || (protocol === 'http:' && !validation.https_only)) return text
  return fail(
    'format',
    `\`${key}\` must be a URL that starts with https://${validation.https_only ? '' : ' or http://'}.`,
  )
}

const emailPattern = /^[^\s@<>"(),:;[\]\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i

function parseEmail(value: unknown, field: ValueField): Parsed {
  const text = parseText(value, { ...field, validation: {} })
  if ('problem' in text || emailPattern.test(value as string)) return text
  return fail('format', `\`${field.key}\` must be an email address.`)
}

const phonePattern = /^\+?[\d\s()./-]{3,40}$/

const parsePhone: Parser = (value, { key }) =>
  typeof value === 'string' && phonePattern.test(value) && /\d{3}|\d.*\d.*\d/.test(value)
    ? { value: phoneE164(value) ?? value }
    : fail('format', `\`${key}\` must be a phone number such as +49 30 123456.`)

/** Bounds are compared in the base currency, by the caller. */
function parseMoney(value: unknown, { key, validation }: ValueField): Parsed {
  const { amount, currency } = (value ?? {}) as Partial<Money>
  if (typeof amount !== 'string' || typeof currency !== 'string')
    return fail('type', `\`${key}\` must be an object with \`amount\` and \`currency\`.`)
  if (!isCurrency(currency)) return fail('currency', `\`${key}\` must have an ISO 4217 currency.`)
  if (validation.currency !== undefined && currency !== validation.currency)
    return fail('currency', `\`${key}\` must be in ${validation.currency}.`)
  try {
    return { value: toMoney(parseAmount(amount, currency, { in: 'body', path: `/${key}` }), currency) }
  } catch {
    return fail('digits', `\`${key}\` must be an amount with the decimals of ${currency}.`)
  }
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const parseUser: Parser = (value, { key }) =>
  typeof value === 'string' && idPattern.test(value)
    ? { value }
    : fail('format', `\`${key}\` must be the id of a user.`)

const parsers: Record<CustomFieldType, Parser> = {
  text: parseText,
  long_text: parseText,
  number: parseNumber,
  boolean: parseBoolean,
  date: parseDate,
  datetime: parseDatetime,
  select: parseSelect,
  multi_select: parseMultiSelect,
  url: parseUrl,
  email: parseEmail,
  phone: parsePhone,
  money: parseMoney,
  user: parseUser,
}

export const usesToday = ({ validation: { min, max } }: { validation: FieldValidation }): boolean =>
  min === 'today' || max === 'today'
