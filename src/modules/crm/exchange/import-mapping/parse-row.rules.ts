import { Compile } from 'typebox/compile'
import type { AppError, InputError } from '#platform/errors'
import { type FileFacts, findTransform } from './file-facts.rules.ts'
import type { ColumnMapping, ImportOptions, RowMessage } from './import.schemas.ts'
import type { ImportField } from './import-fields.rules.ts'
import { listMappedColumns } from './mapped-columns.rules.ts'
import { isBlank, parseCell, replaceText, type UserIds } from './parse-cell.rules.ts'

/** Values by the name of their field. `blank` has the mapped fields whose cell is blank. */
export type ParsedRow = {
  values: Record<string, unknown>
  blank: string[]
  errors: RowMessage[]
  warnings: RowMessage[]
}

export type RowParser = {
  parseRow(cells: readonly string[], problem: string | null): ParsedRow
  /** Parsed `default_values`, for new records. */
  defaults: Record<string, unknown>
  toMessages(error: AppError): RowMessage[]
}

type ParserInput = {
  columns: readonly string[]
  mapping: readonly ColumnMapping[]
  options: Pick<ImportOptions, 'default_values' | 'match_by'>
  fields: readonly ImportField[]
  facts: FileFacts
  currency: string
  timezone: string
  users: UserIds
}

const problems: Record<string, string> = {
  invalid_character: 'The row has characters that cannot be stored.',
  erased: 'The data of the person was erased.',
}

export function createRowParser({ columns, mapping, options, fields, facts, ...rest }: ParserInput): RowParser {
  const fieldByName = new Map(fields.map((field) => [field.name, field]))
  const mapped = listMappedColumns({ columns, mapping, fields }).map(({ field, index, column, transform, values }) => ({
    column,
    index,
    field,
    context: { ...rest, values, transform: transform ?? findTransform(field, index, facts) },
  }))
  const columnOf = (field: string) => mapped.find(({ field: { name } }) => name === field)?.column ?? null
  const toMessage = (field: string | null, code: string, message: string): RowMessage => ({
    column: field && columnOf(field),
    field,
    code,
    message,
  })
  const isLenient = (field: ImportField) =>
    (field.type === 'user' || lenientFields.includes(field.name)) &&
    options.match_by !== `custom_field:${field.custom?.key}`

  function parseRow(cells: readonly string[], problem: string | null): ParsedRow {
    const row: ParsedRow = { values: {}, blank: [], errors: [], warnings: [] }
    if (problem) return { ...row, errors: [toMessage(null, problem, problems[problem] ?? 'The row is not valid.')] }
    if (cells.slice(columns.length).some((cell) => !isBlank(cell))) {
      const message = `The row must not have more than ${columns.length} cells, but it has ${cells.length}.`
      return { ...row, errors: [toMessage(null, 'column_count', message)] }
    }
    for (const { field, index, context } of mapped) {
      const cell = replaceText(cells[index] ?? '', context)
      if (isBlank(cell)) row.blank.push(field.name)
      else {
        const parsed = readValue(field, cell, context)
        if (!('problem' in parsed)) row.values[field.name] = parsed.value
        else if (isLenient(field)) {
          const message = `${parsed.problem.message} The value was left out.`
          row.warnings.push(toMessage(field.name, 'unknown_value', message))
        } else row.errors.push(toMessage(field.name, parsed.problem.code, parsed.problem.message))
      }
    }
    splitName(row.values)
    return row
  }

  const defaults: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(options.default_values)) {
    const field = fieldByName.get(name)
    const parsed = field && !isBlank(text) ? readValue(field, text, rest) : undefined
    if (parsed && 'value' in parsed) defaults[name] = parsed.value
  }

  return {
    parseRow,
    defaults,
    toMessages({ code, message, extra }) {
      const errors = extra.errors as InputError[] | undefined
      if (!errors?.length) return [toMessage(null, code, message)]
      return errors.map((error) => {
        const field = error.path.slice(1).replaceAll('/', '.') || null
        return toMessage(field, error.code, error.message)
      })
    },
  }
}

/** Unknown values of these fields are left out with a warning, because the rest of the row is worth more than they are. */
const lenientFields = ['status', 'lifecycle_stage', 'country', 'timezone']

/** Reads a value and checks the limits of its field. Those of custom fields are checked when the record is written. */
export function readValue(field: ImportField, text: string, context: Parameters<typeof parseCell>[2]) {
  const parsed = parseCell(field, text, context)
  if ('problem' in parsed || !field.schema || validatorOf(field)(parsed.value)) return parsed
  return { problem: describeProblem(field, parsed.value) }
}

const validators = new WeakMap<object, (value: unknown) => boolean>()

function validatorOf({ schema }: ImportField): (value: unknown) => boolean {
  const known = validators.get(schema!)
  if (known) return known
  const compiled = Compile(schema!)
  const check = (value: unknown) => compiled.Check(value)
  validators.set(schema!, check)
  return check
}

type Limits = {
  format?: string
  maxLength?: number
  minLength?: number
  enum?: unknown[]
  minimum?: number
  maximum?: number
}

function describeProblem({ name, schema, type }: ImportField, value: unknown) {
  const limits = schema as Limits
  const fail = (code: string, must: string) => ({ code, message: `\`${name}\` must ${must}.` })
  if (limits.enum) return fail('enum', `be one of: ${limits.enum.filter((item) => item !== null).join(', ')}`)
  if (name === 'country') return fail('pattern', 'be the name or the ISO 3166-1 code of a country')
  if (limits.format === 'uuid') return fail('format', 'be an id')
  const tooLong = typeof value === 'string' && limits.maxLength !== undefined && value.length > limits.maxLength
  if (tooLong) return fail('maxLength', `have at most ${limits.maxLength} characters`)
  if (limits.format === 'email') return fail('format', 'be an email address')
  if (type === 'number') return fail('range', `be a whole number from ${limits.minimum} to ${limits.maximum}`)
  if (type === 'money') return fail('format', 'be an amount, such as 1250.00 EUR')
  if (type === 'list') return fail('items', 'have at most 50 items of at most 50 characters')
  if (name === 'source') return fail('pattern', 'have lower-case letters, digits and `_` only')
  return fail('format', `have at least ${limits.minLength ?? 1} characters`)
}

/** Splits a full name before its last word, unless the parts have columns of their own. */
function splitName(values: Record<string, unknown>): void {
  const { name } = values
  delete values.name
  if (typeof name !== 'string' || values.first_name || values.last_name) return
  const space = name.lastIndexOf(' ')
  if (space > 0) values.first_name = name.slice(0, space).trim().slice(0, 100)
  values.last_name = name.slice(space + 1).slice(0, 100)
}
