import type { ColumnMapping, Transform } from './import.schemas.ts'
import type { ImportField } from './import-fields.rules.ts'
import { isBlank, replaceText } from './parse-cell.rules.ts'

export type MappedColumn = {
  column: string
  index: number
  field: ImportField
  transform: Transform | undefined
  values: ReadonlyMap<string, string>
}

type Mapping = {
  columns: readonly string[]
  mapping: readonly ColumnMapping[]
  fields: readonly ImportField[]
}

export function listMappedColumns({ columns, mapping, fields }: Mapping): MappedColumn[] {
  const fieldByName = new Map(fields.map((field) => [field.name, field]))
  return mapping.flatMap(({ column, field: name, transform, values }) => {
    const field = name === null ? undefined : fieldByName.get(name)
    const read = Object.entries(values ?? {}).map(([text, value]) => [text.trim().toLowerCase(), value] as const)
    return field ? [{ column, index: columns.indexOf(column), field, transform, values: new Map(read) }] : []
  })
}

const maxUserTextLength = 254

/** Returns the texts of rows and defaults that name users, in lower case. */
export function listUserTexts(
  mapped: readonly Pick<MappedColumn, 'field' | 'index' | 'values'>[],
  rows: readonly (readonly string[])[],
  defaults: readonly string[] = [],
): string[] {
  const ofUsers = mapped.filter(({ field }) => field.type === 'user')
  const cells = rows.flatMap((row) => ofUsers.map((column) => replaceText(row[column.index] ?? '', column)))
  const texts = [...cells, ...defaults].filter((text) => !isBlank(text)).map((text) => text.trim().toLowerCase())
  return [...new Set(texts)].filter((text) => text.length <= maxUserTextLength)
}
