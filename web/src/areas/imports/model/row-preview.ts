import type { Draft } from './draft.ts'
import { findField, type ImportField } from './fields.ts'
import { type ReadCell, readCell } from './read-cell.ts'

type PreviewField = {
  name: string
  label: string
  /** Undefined if two columns have a value for the field. */
  read: ReadCell | undefined
  from: string | undefined
  isFromOptions: boolean
}

export type RowPreview = { fields: PreviewField[]; values: ReadonlyMap<string, string> }

export function previewRow(row: readonly string[], draft: Draft, fields: readonly ImportField[]): RowPreview {
  const cells = draft.columns.flatMap((column, at) => {
    const field = findField(fields, column.field)
    const cell = row[at] ?? ''
    const read = field && readCell(cell, field, column)
    return field && read ? [{ field, cell, read }] : []
  })
  const byField = Map.groupBy(cells, ({ field }) => field)
  const ofRow = [...byField].map(([{ name, label }, found]): PreviewField => {
    const [{ cell, read }] = found as [(typeof found)[number]]
    const isDouble = found.length > 1
    return {
      name,
      label,
      read: isDouble ? undefined : read,
      from: isDouble ? undefined : changedFrom(cell, read),
      isFromOptions: false,
    }
  })
  const ofOptions = Object.entries(draft.options.default_values).flatMap(([name, text]): PreviewField[] => {
    const field = findField(fields, name)
    const isFilled = ofRow.some((one) => one.name === name)
    const read = field && !isFilled ? readCell(text, field, {}) : undefined
    return field && read ? [{ name, label: field.label, read, from: undefined, isFromOptions: true }] : []
  })
  const all = [...ofRow, ...ofOptions]
  return { fields: all, values: new Map(all.flatMap(({ name, read }) => (read ? [[name, textOf(read)]] : []))) }
}

function changedFrom(cell: string, read: ReadCell): string | undefined {
  if (read.kind === 'problem' || read.kind === 'list') return undefined
  return textOf(read) === cell.trim() ? undefined : cell.trim()
}

const textOf = (read: ReadCell): string => {
  if (read.kind === 'number') return `${read.value}`
  if (read.kind === 'date') return read.day
  return read.kind === 'list' ? read.items.join(', ') : read.text
}
