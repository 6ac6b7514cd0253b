import { type ArchiveChange, type ArchivedRow, archiveChanges } from './archive-changes.ts'

export type ArchivedTable = { name: string; columns: readonly string[]; schemaVersion: string }

/** Columns of a table in this database. */
export type CurrentTable = {
  all: readonly string[]
  /** Columns that an archive of this version has. */
  exported: readonly string[]
  /** Columns that have neither a default nor a value that the import provides. */
  required: readonly string[]
}

export type TablePlan = {
  columns: string[]
  /** Converts the JSON text of a row; absent if the rows can be inserted as they are. */
  convert?(line: string): string
}

type Conversion = { plan: TablePlan } | { isSkipped: true } | { problem: string }

/** Decides how the rows of an archived table are inserted into the current one. */
export function planTable(
  { name, columns, schemaVersion }: ArchivedTable,
  current: CurrentTable | undefined,
  changes: readonly ArchiveChange[] = archiveChanges,
): Conversion {
  if (changes.some((change) => 'removedTable' in change && change.removedTable === name)) return { isSkipped: true }
  if (!current) return { problem: `The archive contains the table ${name}, which this version does not know.` }
  const ofTable = changes.filter((change) => 'table' in change && change.table === name)
  const renamed = new Map(
    ofTable.flatMap((change) => ('renamedColumn' in change ? [[change.renamedColumn, change.to]] : [])),
  )
  const removed = new Set(ofTable.flatMap((change) => ('removedColumn' in change ? [change.removedColumn] : [])))
  const added = ofTable.filter((change) => 'addedColumn' in change && !columns.includes(change.addedColumn)) as Added[]
  const changed = ofTable.filter(
    (change) => 'migration' in change && columns.includes(change.changedColumn) && schemaVersion < change.migration,
  ) as Changed[]

  const kept = columns.filter((column) => !removed.has(column)).map((column) => renamed.get(column) ?? column)
  const unknown = kept.find((column) => !current.all.includes(column))
  if (unknown)
    return { problem: `The archive contains the column ${unknown} of ${name}, which this version does not know.` }
  // Columns that are no longer exported have values that this version does not accept.
  const imported = [...kept, ...added.map(({ addedColumn }) => addedColumn)].filter((column) =>
    current.exported.includes(column),
  )
  const missing = current.required.find((column) => !imported.includes(column))
  if (missing) return { problem: `The archive has no values for the required column ${missing} of ${name}.` }
  const isConverted = added.length > 0 || changed.length > 0 || columns.some((column) => renamed.has(column))
  const convert = (line: string) => convertRow(line, { renamed, added, changed })
  return { plan: { columns: imported, ...(isConverted && { convert }) } }
}

type Added = Extract<ArchiveChange, { addedColumn: string }>
type Changed = Extract<ArchiveChange, { changedColumn: string }>
type RowChanges = { renamed: ReadonlyMap<string, string>; added: readonly Added[]; changed: readonly Changed[] }

function convertRow(line: string, { renamed, added, changed }: RowChanges): string {
  const row = parseRow(line)
  for (const [from, to] of renamed) if (from in row) row[to] = row[from]
  for (const { addedColumn, value } of added) row[addedColumn] = value(row)
  for (const { changedColumn, value } of changed) row[changedColumn] = value(row)
  return JSON.stringify(row)
}

const exactJson = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source: string }) => unknown): ArchivedRow
  rawJSON(text: string): unknown
}

/** Keeps numbers as they are written, because some have more digits than a JavaScript number. */
const parseRow = (line: string): ArchivedRow =>
  exactJson.parse(line, (_key, value, { source }) => (typeof value === 'number' ? exactJson.rawJSON(source) : value))
