import { isEqual } from '../../../api/merge-fields.ts'
import type { ColumnMapping, ImportOptions, RecordImport, Transform } from './types.ts'

/** The choices of the user, saved or not: one entry per column of the file, in its order. */
export type Draft = {
  columns: readonly ColumnMapping[]
  options: ImportOptions
  /** Columns whose order of day and month the user has confirmed. */
  confirmed: readonly string[]
}

export const standardOptions: ImportOptions = {
  match_by: 'email',
  on_match: 'update_empty',
  blank_clears: false,
  multi_select: 'add',
  default_values: {},
  tags: [],
  run_assignment: false,
  start_sla: false,
  basis: 'none',
}

type Mapped = Pick<RecordImport, 'columns' | 'suggested_mapping' | 'mapping' | 'options'>

export function toDraft({ columns, suggested_mapping, mapping, options }: Mapped): Draft {
  const known = mapping ?? suggested_mapping
  return {
    columns: columns.map((column) => known.find((one) => one.column === column) ?? { column, field: null }),
    options: { ...standardOptions, ...options },
    // A user who has saved a mapping has seen the dates.
    confirmed: mapping ? columns : [],
  }
}

/** The choices of another file, for columns of the same name. */
export function carryOver(before: Pick<Draft, 'columns' | 'options'>, file: Mapped): Draft {
  const suggested = toDraft(file)
  const kept = suggested.columns.map(({ column }) => before.columns.find((one) => one.column === column))
  const used = new Set(kept.map((one) => one?.field))
  const columns = suggested.columns.map((column, at) => {
    const isUsed = column.field !== null && used.has(column.field)
    return kept[at] ?? (isUsed ? { column: column.column, field: null } : column)
  })
  return { ...suggested, columns, options: before.options }
}

export const isSaved = (draft: Draft, file: Mapped): boolean => {
  const stored = toDraft(file)
  return (
    file.mapping !== null &&
    isEqual(draft.columns.map(toComparable), stored.columns.map(toComparable)) &&
    isEqual(sortKeys(draft.options), sortKeys(stored.options))
  )
}

const toComparable = ({ column, field, transform, values }: ColumnMapping) => [column, field, transform, values]

const sortKeys = (options: object) =>
  Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => one.localeCompare(other))

export const toMapping = ({ columns, options }: Draft) => ({ columns: [...columns], options })

const changeColumn = (draft: Draft, column: string, change: (before: ColumnMapping) => ColumnMapping): Draft => ({
  ...draft,
  columns: draft.columns.map((one) => (one.column === column ? change(one) : one)),
})

/** Another field has other forms of values, so that the transform does not stay. */
export const setField = (draft: Draft, column: string, field: string | null): Draft =>
  changeColumn(draft, column, (before) => (before.field === field ? before : { column, field }))

export const setTransform = (draft: Draft, column: string, transform: Transform): Draft => ({
  ...changeColumn(draft, column, (before) => ({ ...before, transform })),
  confirmed: [...new Set([...draft.confirmed, column])],
})

export const setOptions = (draft: Draft, changes: Partial<ImportOptions>): Draft => ({
  ...draft,
  options: { ...draft.options, ...changes },
})

export const keepColumn = (draft: Draft, column: string): Draft => {
  const field = draft.columns.find((one) => one.column === column)?.field
  const others = draft.columns.filter((one) => one.field === field && one.column !== column)
  return others.reduce((before, other) => setField(before, other.column, null), draft)
}

export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter
}

/** Reads a stored draft, unless it belongs to other columns. */
export function parseDraft(text: string, columns: readonly string[]): Draft | undefined {
  if (text === '') return undefined
  const draft: Partial<Draft> = JSON.parse(text)
  const names = draft.columns?.map(({ column }) => column)
  return isEqual(names, columns) && draft.options && draft.confirmed ? (draft as Draft) : undefined
}
