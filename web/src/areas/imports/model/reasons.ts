import { withWords } from '../../../api/field-messages.ts'
import { importCheckTexts as texts } from '../../../texts/en/import-check-texts.ts'
import { findField, type ImportField } from './fields.ts'
import type { ImportRow } from './types.ts'

export type RowMessage = ImportRow['errors'][number]
export type Reason = { key: string; label: string; rows: readonly ImportRow[] }
type MessagesOf = (row: ImportRow) => readonly RowMessage[]

/** A sentence for a message, with the label of its field. Codes without an own sentence have the one of the server. */
export function describeMessage({ code, field: name, message }: RowMessage, fields: readonly ImportField[]): string {
  const field = findField(fields, name)
  const label = field?.label ?? name ?? ''
  return (
    texts.reason(reasonCode(code, field), label) ?? withWords(label ? message.replace(/`[^`]+`/, () => label) : message)
  )
}

function reasonCode(code: string, field: ImportField | undefined): string {
  if (code === 'format' && field?.name === 'email') return 'email'
  const isForm = code === 'format' || code === 'type'
  return isForm && field && ['number', 'date', 'boolean'].includes(field.kind) ? field.kind : code
}

/** Groups rows by their first message, the most frequent first. */
export function groupByReason(
  rows: readonly ImportRow[],
  messagesOf: MessagesOf,
  describe: (message: RowMessage) => string,
): Reason[] {
  const groups = Map.groupBy(rows, (row) => {
    const [first] = messagesOf(row)
    return first ? `${first.code} ${first.field ?? ''}` : ''
  })
  return [...groups]
    .map(([key, ofReason]): Reason => {
      const [message] = messagesOf(ofReason[0]!)
      return { key, label: message ? describe(message) : texts.noReason, rows: ofReason }
    })
    .toSorted((one, other) => other.rows.length - one.rows.length)
}

const maxColumns = 4
const telling = ['first_name', 'last_name', 'name', 'email', 'company', 'account_name']

type Mapping = readonly { column: string; field: string | null }[]

/** The columns that a table of rows shows: the wrong ones and those that tell who it is, in the order of the file. */
export function pickColumns(
  columns: readonly string[],
  mapping: Mapping,
  rows: readonly ImportRow[],
  messagesOf: MessagesOf,
): { name: string; index: number }[] {
  const wrong = rows.flatMap((row) => messagesOf(row).flatMap(({ column }) => column ?? []))
  const ofPerson = telling.flatMap((field) => mapping.find((one) => one.field === field)?.column ?? [])
  const rest = mapping.flatMap(({ column, field }) => (field === null ? [] : column))
  const chosen = [...new Set([...wrong, ...ofPerson, ...rest])].slice(0, maxColumns)
  return columns.flatMap((name, index) => (chosen.includes(name) ? [{ name, index }] : []))
}
