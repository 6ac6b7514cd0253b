import type { FileWarning, Transform } from './import.schemas.ts'
import type { ImportField } from './import-fields.rules.ts'
import { findOrder, splitDate } from './parse-date.rules.ts'
import { maxFormattedLength } from './parse-number.rules.ts'

export type FileFacts = {
  /** `unknown` if days and months could be exchanged in all dates of the column. */
  dates?: ('dmy' | 'mdy' | 'unknown' | null)[]
  numbers?: ('eu' | 'us' | null)[]
  repeated?: { column: number; rows: number; values: number } | null
  isEncodingGuessed?: boolean
}

type Evidence = { dmy: number; mdy: number; dates: number; eu: number; us: number }

/** Counts what the cells of each column prove about the forms of dates and numbers. */
export function createFormCounter() {
  const columns: Evidence[] = []
  return {
    add(cells: readonly string[]): void {
      for (const [index, cell] of cells.entries()) {
        columns[index] ??= { dmy: 0, mdy: 0, dates: 0, eu: 0, us: 0 }
        if (cell.length <= maxFormattedLength && hasDigit(cell)) addEvidence(columns[index], cell.trim())
      }
    },
    toFacts(): Pick<FileFacts, 'dates' | 'numbers'> {
      return {
        dates: columns.map(({ dmy, mdy, dates }) =>
          dates === 0 ? null : dmy === mdy ? 'unknown' : dmy > mdy ? 'dmy' : 'mdy',
        ),
        numbers: columns.map(({ eu, us }) => (eu === us ? null : eu > us ? 'eu' : 'us')),
      }
    },
  }
}

function hasDigit(cell: string): boolean {
  for (let index = 0; index < cell.length; index++) {
    const code = cell.charCodeAt(index)
    if (code >= 48 && code <= 57) return true
  }
  return false
}

function addEvidence(column: Evidence, cell: string): void {
  const date = splitDate(cell)
  if (date) {
    column.dates++
    const order = findOrder(date.first, date.second)
    if (order) column[order]++
    return
  }
  const form = findNumberForm(cell)
  if (form) column[form]++
}

/** A separator that comes last or is not followed by three digits is the decimal one; a repeated one separates thousands. */
export function findNumberForm(text: string): 'eu' | 'us' | undefined {
  const [comma, dot] = [text.lastIndexOf(','), text.lastIndexOf('.')]
  if (comma < 0 && dot < 0) return undefined
  if (comma >= 0 && dot >= 0) return comma > dot ? 'eu' : 'us'
  const separator = comma >= 0 ? ',' : '.'
  const [ofDecimal, ofThousands] = separator === ',' ? (['eu', 'us'] as const) : (['us', 'eu'] as const)
  const [first = '', ...groups] = text.replace(/[^\d,.]/g, '').split(separator)
  if (groups.length > 1) return groups.every((group) => group.length === 3) ? ofThousands : undefined
  return groups[0]!.length !== 3 || first.length > 3 || first === '0' ? ofDecimal : undefined
}

/** Returns how dates and numbers of a column are read when its mapping does not say it. */
export function findTransform({ type }: ImportField, index: number, { dates, numbers }: FileFacts) {
  if (type === 'date' || type === 'datetime') return orderTransform(dates?.[index])
  if (type !== 'number' && type !== 'money') return undefined
  return numbers?.[index] === 'eu' ? ('number:eu' as const) : undefined
}

export const orderTransform = (order: string | null | undefined): Transform | undefined =>
  order === 'dmy' || order === 'mdy' ? `date:${order}` : undefined

type File = { columns: readonly string[]; encoding: string | null; file_facts: FileFacts }

export function toFileWarnings(
  { columns, encoding, file_facts: { repeated, isEncodingGuessed } }: File,
  ambiguous: readonly string[],
): FileWarning[] {
  const guessed = `The encoding was not certain: the file was read as ${encoding}. If letters are wrong, upload it with \`encoding\`.`
  const exchanged = 'Days and months could be exchanged in all dates of the column. Check the transform.'
  const repetition = ({ rows, values }: { rows: number; values: number }) =>
    `${rows.toLocaleString('en')} rows have an email address that other rows have too (${values.toLocaleString('en')} different ones). ` +
    'Matched by email, the rows of an address become one record.'
  return [
    ...(isEncodingGuessed ? [{ code: 'guessed_encoding' as const, column: null, message: guessed }] : []),
    ...ambiguous.map((column) => ({ code: 'ambiguous_dates' as const, column, message: exchanged })),
    ...(repeated
      ? [{ code: 'repeated_keys' as const, column: columns[repeated.column] ?? null, message: repetition(repeated) }]
      : []),
  ]
}
