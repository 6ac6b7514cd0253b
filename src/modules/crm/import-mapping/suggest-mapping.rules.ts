import type { ColumnMapping } from './import.schemas.ts'
import { type ImportField, toPlainName } from './import-fields.rules.ts'

/** Maps each column to the field of its name, and every field at most once. */
export function suggestMapping(columns: readonly string[], fields: readonly ImportField[]): ColumnMapping[] {
  const taken = new Set<string>()
  const find = (column: string, matches: (field: ImportField, plain: string) => boolean) => {
    const field = fields.find((candidate) => !taken.has(candidate.name) && matches(candidate, toPlainName(column)))
    if (field) taken.add(field.name)
    return field?.name
  }
  const byName = columns.map((column) =>
    find(column, ({ name }, plain) => column === name || plain === toPlainName(name)),
  )
  const suggested = columns.map(
    (column, index) => byName[index] ?? find(column, ({ aliases }, plain) => aliases.includes(plain)) ?? null,
  )
  // The parts are more exact than the full name.
  const hasParts = suggested.includes('last_name')
  return columns.map((column, index) => {
    const field = suggested[index]!
    return { column, field: field === 'name' && hasParts ? null : field }
  })
}

/** Gives every column a name of its own: columns without one get their position, further ones of a name a number. */
export function toColumnNames(header: readonly string[]): string[] {
  const used = new Set<string>()
  return header.map((cell, index) => {
    const name = cell.trim().replaceAll('\0', '').slice(0, maxNameLength).toWellFormed() || `Column ${index + 1}`
    let unique = name
    for (let number = 2; used.has(unique); number++) unique = `${name} (${number})`
    used.add(unique)
    return unique
  })
}

const maxNameLength = 200
