import { isCurrency } from '#platform/money'
import { isDate, isDateTime } from '#platform/schema'
import { maxOptions } from '../custom-values/custom-values.schemas.ts'
import type { Transform } from './import.schemas.ts'
import type { CellType, ImportField } from './import-fields.rules.ts'

export type CellProblem = { code: string; message: string }
export type ParsedCell = { value: unknown } | { problem: CellProblem }

export type CellContext = { currency: string; transform?: Transform }

type Parser = (text: string, field: ImportField, context: CellContext) => ParsedCell

const fail = (field: ImportField, code: string, must: string): ParsedCell => ({
  problem: { code, message: `\`${field.name}\` must ${must}.` },
})

const maxFormattedLength = 40
const formattedTypes: readonly CellType[] = ['number', 'money', 'date', 'datetime', 'boolean']

/** Reads the text of a cell that is not blank. Limits of the value are checked afterwards. */
export function parseCell(field: ImportField, text: string, context: CellContext): ParsedCell {
  if (formattedTypes.includes(field.type) && text.trim().length > maxFormattedLength)
    return fail(field, 'maxLength', `have at most ${maxFormattedLength} characters`)
  const given = context.transform === 'lower' ? text.toLowerCase() : text
  return parsers[field.type](given, field, context)
}

export const isBlank = (cell: string | undefined): boolean => cell === undefined || cell.trim() === ''

const parseLine: Parser = (text, field, context) => {
  const value = text.trim()
  if (context.transform === 'number:eu') return { value: normalizeNumber(value, true) ?? value }
  const day = toDay(value, context.transform)
  return day === undefined ? { value } : day === null ? fail(field, 'format', 'be a date') : { value: day }
}

function normalizeNumber(text: string, isEuropean: boolean): string | undefined {
  if (text.length > maxFormattedLength) return undefined
  const compact = text.trim().replace(/[\s\u00a0\u202f']/g, '')
  const plain = isEuropean ? compact.replaceAll('.', '').replace(',', '.') : removeThousands(compact)
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? plain : undefined
}

/** A comma is accepted only where it separates thousands; another one could be a decimal comma. */
const removeThousands = (text: string): string =>
  /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text

const parseNumber: Parser = (text, field, { transform }) => {
  const number = normalizeNumber(text, transform === 'number:eu')
  return number === undefined
    ? fail(field, 'type', 'be a number, such as 1250.5; choose the transform `number:eu` for 1.250,5')
    : { value: Number(number) }
}

const moneyPattern = /^([A-Za-z]{3})?([^A-Za-z]*)([A-Za-z]{3})?$/

const parseMoney: Parser = (text, field, { transform, currency: defaultCurrency }) => {
  const [, before, number = '', after] = moneyPattern.exec(text.trim()) ?? []
  const amount = normalizeNumber(number, transform === 'number:eu')
  const currency = (before ?? after ?? defaultCurrency).toUpperCase()
  if (amount === undefined || (before && after)) return fail(field, 'type', 'be an amount, such as 1250.00 EUR')
  if (!isCurrency(currency)) return fail(field, 'currency', 'have an ISO 4217 currency')
  return { value: { amount: amount.replace(/^\+/, ''), currency } }
}

/** Null if the text is not such a date, undefined if it is to be read as it is. */
function toDay(text: string, transform: Transform | undefined): string | null | undefined {
  if (transform !== 'date:dmy' && transform !== 'date:mdy') return undefined
  if (text.length > maxFormattedLength) return null
  const [, first, second, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text) ?? []
  if (!first || !second || !year) return isDate(text) ? text : null
  const [day, month] = transform === 'date:dmy' ? [first, second] : [second, first]
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : null
}

const parseDate: Parser = (text, field, { transform }) => {
  const value = text.trim()
  const day = toDay(value, transform) ?? (isDate(value) ? value : null)
  return day ? { value: day } : fail(field, 'format', 'be a date such as 2026-03-01, or have a transform of dates')
}

const parseDatetime: Parser = (text, field, { transform }) => {
  const value = text.trim()
  const day = toDay(value, transform) ?? (isDate(value) ? value : null)
  if (day) return { value: `${day}T00:00:00.000Z` }
  return isDateTime(value) ? { value } : fail(field, 'format', 'be a time such as 2026-03-01T09:30:00Z')
}

const truthy = ['true', 'yes', 'y', '1', 'x', 'ja', 'oui']
const falsy = ['false', 'no', 'n', '0', 'nein', 'non']

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
function splitList(text: string, transform: Transform | undefined): string[] {
  if (transform === 'none') return [text.trim()]
  const items = readJsonList(text) ?? text.split(';')
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))]
}

function readJsonList(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

const parseOptions: Parser = (text, field, { transform }) => {
  const items = splitList(text, transform)
  if (items.length > maxOptions) return fail(field, 'items', `have at most ${maxOptions} options`)
  const keys = items.map((item) => findOption(field, item))
  const isKnown = keys.every((key) => key !== undefined)
  return isKnown ? { value: [...new Set(keys)] } : fail(field, 'enum', 'only have options of the field')
}

const parsers: Record<CellType, Parser> = {
  line: parseLine,
  text: (text) => ({ value: text.trim() }),
  lower: (text) => ({ value: text.trim().toLowerCase() }),
  upper: (text) => ({ value: text.trim().toUpperCase() }),
  number: parseNumber,
  money: parseMoney,
  date: parseDate,
  datetime: parseDatetime,
  boolean: parseBoolean,
  option: parseOption,
  list: (text, _field, { transform }) => ({ value: splitList(text, transform) }),
  options: parseOptions,
}
