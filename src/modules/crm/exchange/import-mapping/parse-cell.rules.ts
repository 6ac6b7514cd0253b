import { isTimeZone } from '#platform/calendar'
import { maxOptions } from '../../records/custom-values/custom-values.schemas.ts'
import type { Transform } from './import.schemas.ts'
import type { CellType, ImportField } from './import-fields.rules.ts'
import { type DateOrder, readDate, toInstant } from './parse-date.rules.ts'
import { maxFormattedLength, normalizeNumber, readMoney } from './parse-number.rules.ts'
import { toFieldValue } from './value-words.rules.ts'

export type CellProblem = { code: string; message: string }
export type ParsedCell = { value: unknown } | { problem: CellProblem }

export type UserIds = ReadonlyMap<string, string>

export type CellContext = {
  currency: string
  timezone: string
  users: UserIds
  transform?: Transform
  values?: ReadonlyMap<string, string>
}

type Parser = (text: string, field: ImportField, context: CellContext) => ParsedCell

const fail = (field: ImportField, code: string, must: string): ParsedCell => ({
  problem: { code, message: `\`${field.name}\` must ${must}.` },
})

const formattedTypes: readonly CellType[] = ['number', 'money', 'date', 'datetime', 'boolean']

/** Reads the text of a cell that is not blank. Limits of the value are checked afterwards. */
export function parseCell(field: ImportField, text: string, context: CellContext): ParsedCell {
  if (formattedTypes.includes(field.type) && text.trim().length > maxFormattedLength)
    return fail(field, 'maxLength', `have at most ${maxFormattedLength} characters`)
  const given = context.transform === 'lower' ? text.toLowerCase() : text
  return parsers[field.type](given, field, context)
}

export const isBlank = (cell: string | undefined): boolean => cell === undefined || cell.trim() === ''

export const replaceText = (text: string, { values }: Pick<CellContext, 'values'>): string =>
  values?.get(text.trim().toLowerCase()) ?? text

const orders: Partial<Record<Transform, DateOrder>> = { 'date:dmy': 'dmy', 'date:mdy': 'mdy' }

const parseLine: Parser = (text, field, { transform }) => {
  const value = text.trim()
  if (transform === 'number:eu') return { value: normalizeNumber(value, true) ?? value }
  const order = transform && orders[transform]
  if (order) {
    const date = value.length <= maxFormattedLength ? readDate(value, order) : undefined
    return date ? { value: date.day } : fail(field, 'format', 'be a date')
  }
  if (field.name === 'timezone' && !isTimeZone(value)) return fail(field, 'unknown', 'be an IANA time zone')
  return { value }
}

const parseNumber: Parser = (text, field, { transform }) => {
  const number = normalizeNumber(text, transform === 'number:eu')
  return number === undefined
    ? fail(field, 'type', 'be a number, such as 1250.5; choose the transform `number:eu` for 1.250,5')
    : { value: Number(number) }
}

const parseMoney: Parser = (text, field, { transform, currency }) => {
  const money = readMoney(text, transform === 'number:eu', currency)
  if (!money) return fail(field, 'type', 'be an amount, such as 1250.00 EUR')
  return money.currency ? { value: money } : fail(field, 'currency', 'have an ISO 4217 currency')
}

const parseDate: Parser = (text, field, { transform }) => {
  const date = readDate(text, transform && orders[transform])
  return date
    ? { value: date.day }
    : fail(field, 'format', 'be a date such as 2026-03-01; choose the transform `date:dmy` or `date:mdy` for 1/3/2026')
}

const parseDatetime: Parser = (text, field, { transform, timezone }) => {
  const date = readDate(text, transform && orders[transform])
  return date
    ? { value: toInstant(date, timezone) }
    : fail(field, 'format', 'be a time such as 2026-03-01T09:30:00Z or 2026-03-01 09:30')
}

const parseUser: Parser = (text, field, { users }) => {
  const id = users.get(text.trim().toLowerCase())
  return id ? { value: id } : fail(field, 'unknown', 'be the email address or the unique name of an active user')
}

const truthy = ['true', 'yes', 'y', '1', 'x', 'ja', 'oui', 'wahr', 'vrai']
const falsy = ['false', 'no', 'n', '0', 'nein', 'non', 'falsch', 'faux']

const parseBoolean: Parser = (text, field) => {
  const word = text.trim().toLowerCase()
  if (truthy.includes(word)) return { value: true }
  return falsy.includes(word) ? { value: false } : fail(field, 'type', 'be `true` or `false`')
}

/** Accepts the key of an option or its label. */
function findOption({ custom }: ImportField, text: string): string | undefined {
  const options = custom?.options.filter(({ is_active }) => is_active) ?? []
  const word = text.trim()
  const lower = word.toLowerCase()
  return (options.find(({ key }) => key === word) ?? options.find(({ label }) => label.toLowerCase() === lower))?.key
}

const parseOption: Parser = (text, field) => {
  const key = findOption(field, text)
  return key === undefined ? fail(field, 'enum', 'be one of the options of the field') : { value: key }
}

/** Reads what `toCell` writes: items between semicolons, or a JSON list. */
function splitList(text: string, { transform, values }: CellContext): string[] {
  if (transform === 'none') return [text.trim()]
  const items = readJsonList(text) ?? (transform === 'split:,' ? splitAtCommas(text) : text.split(';'))
  return [...new Set(items.map((item) => replaceText(item, { values }).trim()).filter(Boolean))]
}

const splitAtCommas = (text: string): string[] =>
  text.split(',').map((item) => {
    const trimmed = item.trim()
    return trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed
  })

function readJsonList(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

const parseOptions: Parser = (text, field, context) => {
  const items = splitList(text, context)
  if (items.length > maxOptions) return fail(field, 'items', `have at most ${maxOptions} options`)
  const keys = items.map((item) => findOption(field, item))
  const isKnown = keys.every((key) => key !== undefined)
  return isKnown ? { value: [...new Set(keys)] } : fail(field, 'enum', 'only have options of the field')
}

const parsers: Record<CellType, Parser> = {
  line: parseLine,
  text: (text) => ({ value: text.trim() }),
  lower: (text) => ({ value: text.trim().toLowerCase() }),
  word: (text, field) => ({ value: toFieldValue(field.name, text) }),
  user: parseUser,
  number: parseNumber,
  money: parseMoney,
  date: parseDate,
  datetime: parseDatetime,
  boolean: parseBoolean,
  option: parseOption,
  list: (text, _field, context) => ({ value: splitList(text, context) }),
  options: parseOptions,
}
