import type { Draft } from './draft.ts'
import { findField, type ImportField } from './fields.ts'
import { readCell } from './read-cell.ts'
import type { ColumnMapping, RecordImport } from './types.ts'

/** A red problem blocks the next step; an amber one is a question. Fields have their labels, columns their names. */
export type Problem = { isBlocking: boolean; columns: readonly string[] } & (
  | { kind: 'duplicate'; field: string }
  | { kind: 'nothing_mapped' }
  | { kind: 'nameless' }
  | { kind: 'unknown_field'; field: string }
  | { kind: 'unmapped_match'; field: string }
  | { kind: 'unmatched' }
  | { kind: 'ambiguous_dates'; field: string }
  | { kind: 'unreadable'; field: string; count: number; checked: number; example: string | undefined }
  | { kind: 'repeated_keys' }
  | { kind: 'guessed_encoding' }
)

type File = Pick<RecordImport, 'sample_rows' | 'file_warnings' | 'column_values' | 'suggested_mapping'>

export function findProblems(draft: Draft, fields: readonly ImportField[], file: File): Problem[] {
  const found = [
    ...findDuplicates(draft, fields),
    ...findUnknown(draft, fields),
    ...findMissing(draft, fields),
    ...draft.columns.flatMap((column, at) => findInColumn(draft, fields, file, { column, at })),
    ...findInFile(draft, file),
  ]
  return found.toSorted((one, other) => Number(other.isBlocking) - Number(one.isBlocking))
}

function findDuplicates({ columns }: Draft, fields: readonly ImportField[]): Problem[] {
  const byField = Map.groupBy(columns, ({ field }) => field)
  return [...byField].flatMap(([name, same]): Problem[] => {
    const field = findField(fields, name)
    if (!field || same.length < 2) return []
    return [{ kind: 'duplicate', isBlocking: true, field: field.label, columns: same.map(({ column }) => column) }]
  })
}

const findUnknown = ({ columns }: Draft, fields: readonly ImportField[]): Problem[] =>
  columns
    .filter(({ field }) => field !== null && !findField(fields, field))
    .map(({ column, field }) => ({ kind: 'unknown_field', isBlocking: true, field: field!, columns: [column] }))

const identifying = ['email', 'phone', 'last_name', 'name']

function findMissing({ columns, options }: Draft, fields: readonly ImportField[]): Problem[] {
  const mapped = new Set(columns.flatMap(({ field }) => field ?? []))
  if (mapped.size === 0) return [{ kind: 'nothing_mapped', isBlocking: true, columns: [] }]
  const key = /^custom_field:(.+)$/.exec(options.match_by)?.[1]
  const isNamed = identifying.some((field) => mapped.has(field) || options.default_values[field])
  const keyLabel = key && (findField(fields, `custom.${key}`)?.label ?? key)
  return [
    ...(keyLabel && !mapped.has(`custom.${key}`)
      ? [{ kind: 'unmapped_match', isBlocking: true, field: keyLabel, columns: [] } as const]
      : []),
    ...(isNamed || key ? [] : [{ kind: 'nameless', isBlocking: true, columns: [] } as const]),
    ...(isNamed && options.match_by === 'email' && !mapped.has('email')
      ? [{ kind: 'unmatched', isBlocking: false, columns: [] } as const]
      : []),
  ]
}

type InColumn = { column: ColumnMapping; at: number }

function findInColumn(
  { confirmed }: Draft,
  fields: readonly ImportField[],
  { sample_rows, file_warnings, column_values, suggested_mapping }: File,
  { column: mapped, at }: InColumn,
): Problem[] {
  const field = findField(fields, mapped.field)
  if (!field) return []
  const { column } = mapped
  const columns = [column]
  const isAmbiguous = file_warnings.some((warning) => warning.code === 'ambiguous_dates' && warning.column === column)
  if (isAmbiguous && field.kind === 'date' && !confirmed.includes(column))
    return [{ kind: 'ambiguous_dates', isBlocking: false, field: field.label, columns }]
  const cells = sample_rows.map((row) => row[at] ?? '').filter((cell) => cell.trim() !== '')
  const unread = cells.filter((cell) => readCell(cell, field, mapped)?.kind === 'problem')
  const counted = column_values.find((values) => values.column === column && values.field === mapped.field)
  const suggested = suggested_mapping.find((one) => one.column === column)
  const isAsCounted = suggested?.field === mapped.field && suggested.transform === mapped.transform
  const [count, checked] =
    counted && isAsCounted ? [counted.checked - counted.readable, counted.checked] : [unread.length, cells.length]
  return count > 0
    ? [{ kind: 'unreadable', isBlocking: false, field: field.label, columns, count, checked, example: unread[0] }]
    : []
}

function findInFile({ columns, options }: Draft, { file_warnings }: File): Problem[] {
  return file_warnings.flatMap(({ code, column }): Problem[] => {
    if (code === 'guessed_encoding') return [{ kind: code, isBlocking: false, columns: [] }]
    const isKey = options.match_by === 'email' && columns.some((one) => one.column === column && one.field === 'email')
    return code === 'repeated_keys' && column && isKey ? [{ kind: code, isBlocking: false, columns: [column] }] : []
  })
}

export function stateOfColumn(problems: readonly Problem[], { column, field }: ColumnMapping) {
  const own = problems.filter(({ columns }) => columns.includes(column))
  if (own.some(({ isBlocking }) => isBlocking)) return 'blocked'
  if (own.some(({ kind }) => kind !== 'repeated_keys')) return 'warned'
  return field === null ? 'left_out' : 'fits'
}
