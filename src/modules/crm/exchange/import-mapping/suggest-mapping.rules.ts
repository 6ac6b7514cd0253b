import { toPlainName } from './countries.rules.ts'
import { type FileFacts, findTransform, orderTransform } from './file-facts.rules.ts'
import type { ColumnMapping, ColumnValues, Transform } from './import.schemas.ts'
import type { ImportField } from './import-fields.rules.ts'
import { listMappedColumns } from './mapped-columns.rules.ts'
import { type CellContext, isBlank, replaceText } from './parse-cell.rules.ts'
import { readValue } from './parse-row.rules.ts'

/** Exports of several systems put the kind of the record before the name. */
const prefixes = ['person', 'contact', 'lead', 'kontakt']

/** Maps each column to the field of its name, and every field at most once. */
export function suggestMapping(columns: readonly string[], fields: readonly ImportField[]): ColumnMapping[] {
  const taken = new Set<string>()
  const find = (column: string, matches: (field: ImportField, plain: string) => boolean) => {
    const field = fields.find((candidate) => !taken.has(candidate.name) && matches(candidate, toPlainName(column)))
    if (field) taken.add(field.name)
    return field?.name
  }
  const hasName = ({ name }: ImportField, plain: string) => plain === toPlainName(name)
  const hasAlias = ({ aliases }: ImportField, plain: string) => aliases.includes(plain)
  const hasPrefixed = (field: ImportField, plain: string) =>
    prefixes.some((prefix) => {
      const rest = plain.startsWith(prefix) ? plain.slice(prefix.length) : ''
      return rest !== '' && (hasName(field, rest) || hasAlias(field, rest))
    })
  let suggested = columns.map((column) => find(column, ({ name }) => column === name))
  for (const matches of [hasName, hasAlias, hasPrefixed])
    suggested = columns.map((column, index) => suggested[index] ?? find(column, matches))
  // The parts are more exact than the full name.
  const hasParts = suggested.includes('last_name')
  return columns.map((column, index) => {
    const field = suggested[index] ?? null
    return { column, field: field === 'name' && hasParts ? null : field }
  })
}

type SampledFile = {
  columns: readonly string[]
  fields: readonly ImportField[]
  rows: readonly (readonly string[])[]
  facts: FileFacts
  delimiter: string | null
  context: CellContext
}

const optOutNames = ['emailoptout', 'optout', 'unsubscribedfromallemail']
const optOutValues = Object.fromEntries([
  ...['true', 'yes', '1', 'x', 'ja', 'oui'].map((text) => [text, 'unsubscribed']),
  ...['false', 'no', '0', 'nein', 'non'].map((text) => [text, '']),
])

export type Suggestion = { mapping: ColumnMapping[]; values: ColumnValues[]; ambiguousDates: string[] }

/** Adds to the fields how their values are read, and leaves out those of which most values cannot be read. */
export function suggestReadableMapping({ columns, fields, rows, facts, delimiter, context }: SampledFile): Suggestion {
  const named = suggestMapping(columns, fields).map((suggested): ColumnMapping => {
    const isOptOut = suggested.field === 'email_status' && optOutNames.includes(toPlainName(suggested.column))
    return isOptOut ? { ...suggested, values: optOutValues } : suggested
  })
  const ambiguousDates: string[] = []
  const values: ColumnValues[] = []
  const completed = new Map<string, ColumnMapping>()
  for (const mapped of listMappedColumns({ columns, mapping: named, fields })) {
    const { column, field, index } = mapped
    const cells = rows.map((row) => replaceText(row[index] ?? '', mapped)).filter((cell) => !isBlank(cell))
    const isAmbiguous = (field.type === 'date' || field.type === 'datetime') && facts.dates?.[index] === 'unknown'
    const transform = isAmbiguous
      ? orderTransform(facts.dates?.find((order) => order === 'dmy' || order === 'mdy') ?? usualOrder(delimiter))
      : (findTransform(field, index, facts) ?? findOtherTransform(field, index, cells, { facts, delimiter }))
    const isReadable = (cell: string) => 'value' in readValue(field, cell, { ...context, transform })
    const readable = cells.filter(isReadable).length
    values.push({ column, field: field.name, checked: cells.length, readable })
    if (readable * 2 < cells.length) continue
    if (isAmbiguous) ambiguousDates.push(column)
    const suggested = named.find((item) => item.column === column)!
    completed.set(column, { ...suggested, ...(transform && { transform }) })
  }
  const mapping = columns.map((column) => completed.get(column) ?? { column, field: null })
  return { mapping, values, ambiguousDates }
}

/** Spreadsheets write semicolons where the decimal separator is a comma, which is where the day comes first. */
const usualOrder = (delimiter: string | null) => (delimiter === ';' ? 'dmy' : 'mdy')

function findOtherTransform(
  { type }: ImportField,
  index: number,
  cells: readonly string[],
  { facts, delimiter }: Pick<SampledFile, 'facts' | 'delimiter'>,
): Transform | undefined {
  const isNumber = type === 'number' || type === 'money'
  if (isNumber && facts.numbers?.[index] === null && delimiter === ';' && cells.some((cell) => cell.includes('.')))
    return 'number:eu'
  const isList = type === 'list' || type === 'options'
  const separates = (separator: string) => cells.some((cell) => cell.includes(separator))
  return isList && separates(',') && !separates(';') && !cells.some((cell) => cell.startsWith('['))
    ? 'split:,'
    : undefined
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
