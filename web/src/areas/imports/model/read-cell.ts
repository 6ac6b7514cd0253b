import type { ImportField } from './fields.ts'
import type { ColumnMapping } from './types.ts'

type Reading = Pick<ColumnMapping, 'transform' | 'values'>

/** The value of a cell. Only what certainly cannot be read is a problem, because the server knows more forms. */
export type ReadCell =
  | { kind: 'text'; text: string }
  | { kind: 'number'; value: number; unit: string }
  | { kind: 'date'; day: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'problem'; text: string }

export function readCell(cell: string, field: ImportField, reading: Reading): ReadCell | undefined {
  const text = replaceText(cell, reading).trim()
  if (text === '') return undefined
  switch (field.kind) {
    case 'number':
      return readNumber(text, reading.transform === 'number:eu')
    case 'date':
      return readDate(text, reading.transform)
    case 'list':
      return { kind: 'list', items: readList(text, field, reading) }
    case 'choice':
      return readChoice(text, field)
    default:
      return { kind: 'text', text: reading.transform === 'lower' ? text.toLowerCase() : text }
  }
}

function replaceText(cell: string, { values = {} }: Reading): string {
  const word = cell.trim().toLowerCase()
  return Object.entries(values).find(([text]) => text.trim().toLowerCase() === word)?.[1] ?? cell
}

function readNumber(text: string, isEuropean: boolean): ReadCell {
  const { before, digits, after } = splitAmount(text)
  const plain = removeSeparators(digits.replaceAll(/[\s'’]/g, ''), isEuropean)
  const unit = `${before} ${after}`.trim()
  return plain === undefined ? { kind: 'problem', text } : { kind: 'number', value: Number(plain), unit }
}

/** Splits an amount from its unit, which stands before or after it. */
function splitAmount(text: string) {
  const start = text.search(/[\d+-]/)
  const rest = text.slice(Math.max(start, 0))
  const [digits = ''] = /^[+-]?[\d.,\s'’]+/.exec(rest) ?? []
  const after = rest.slice(digits.length)
  return start < 0 || /\d/.test(after)
    ? { before: '', digits: '', after: '' }
    : { before: text.slice(0, start), digits, after }
}

const grouped = { european: /^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/, other: /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/ }

function removeSeparators(digits: string, isEuropean: boolean): string | undefined {
  const [thousands, decimal] = isEuropean ? ['.', ','] : [',', '.']
  const isGrouped = (isEuropean ? grouped.european : grouped.other).test(digits)
  const plain = (isGrouped ? digits.replaceAll(thousands, '') : digits).replace(decimal, '.')
  return /^[+-]?\d+(\.\d+)?$/.test(plain) && (isEuropean || !digits.includes(',') || isGrouped) ? plain : undefined
}

const yearFirst = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})/
const yearLast = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})\b/

function readDate(text: string, transform: Reading['transform']): ReadCell {
  const [, year, month, day] = yearFirst.exec(text) ?? []
  if (year) return toDate(text, year, month!, day!)
  const [, first, separator, second, last] = yearLast.exec(text) ?? []
  // Words, times and numbers of days are left to the server.
  if (!first || !second) return /\d/.test(text) ? { kind: 'text', text } : { kind: 'problem', text }
  const full = last!.length === 2 ? `${Number(last) < 30 ? '20' : '19'}${last}` : last!
  const isDayFirst = transform === 'date:dmy' || (transform !== 'date:mdy' && (separator === '.' || Number(first) > 12))
  const isMonthFirst = transform === 'date:mdy' || (!isDayFirst && Number(second) > 12)
  if (isDayFirst) return toDate(text, full, second, first)
  return isMonthFirst ? toDate(text, full, first, second) : { kind: 'problem', text }
}

function toDate(text: string, year: string, month: string, day: string): ReadCell {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${date}T00:00:00Z`)
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
  return isReal ? { kind: 'date', day: date } : { kind: 'problem', text }
}

function readList(text: string, { choices = [] }: ImportField, { transform, values }: Reading): string[] {
  if (transform === 'none') return [text]
  const items = text.split(transform === 'split:,' ? ',' : ';').map((item) => replaceText(item, { values }).trim())
  return [...new Set(items.filter(Boolean).map((item) => findChoice(choices, item)?.label ?? item))]
}

function readChoice(text: string, { choices, isCustom }: ImportField): ReadCell {
  const choice = findChoice(choices ?? [], text)
  if (!choice && choices && isCustom) return { kind: 'problem', text }
  return { kind: 'text', text: choice?.label ?? text }
}

const findChoice = (choices: NonNullable<ImportField['choices']>, text: string) =>
  choices.find(({ key, label }) => [key, label].some((word) => word.toLowerCase() === text.toLowerCase()))
