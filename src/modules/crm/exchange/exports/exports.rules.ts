import { moneyOf } from '#platform/money'
import { type FileObjectType, type RecordColumn, readColumn, toCell } from '../record-columns/record-columns.rules.ts'
import type { ExportedRow } from './exports.queries.ts'

export const downloadUrlOf = ({ id, object_type }: { id: string; object_type: FileObjectType }): string =>
  `/api/${object_type}s/exports/${id}/file`

type Values = Readonly<Record<string, unknown>>

/** Adds what is not a column of the table. */
export const toExportedValues = (row: ExportedRow, ownerNames: ReadonlyMap<string, string>): Values => ({
  ...row,
  annual_revenue: moneyOf(row.annual_revenue_minor ?? null, row.annual_revenue_currency ?? null),
  owner_name: row.owner_id === null ? null : (ownerNames.get(row.owner_id) ?? null),
})

export const toCsvRow = (values: Values, columns: readonly RecordColumn[]) =>
  columns.map((column) => toCell(readColumn(values, column)))

export const toJsonLine = (values: Values, columns: readonly RecordColumn[]): string =>
  `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, readColumn(values, column)])))}\n`
