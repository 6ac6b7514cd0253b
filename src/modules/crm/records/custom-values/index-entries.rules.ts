import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json'
import { foldCase } from '#platform/rules'
import type { CustomFieldType, CustomValues } from './custom-values.schemas.ts'
import type { CustomFieldRow } from './field-definitions.queries.ts'

export type IndexEntry = {
  field_id: string
  record_id: string
  ord: number
  txt: string | null
  num: number | null
  ts: string | null
}

export const maxIndexedText = 200

/** The stored text and the text of a query are shortened in the same way; a cut surrogate pair could not be stored. */
export const toIndexText = (text: string): string => foldCase(text).slice(0, maxIndexedText).toWellFormed()

const foldedTypes: readonly CustomFieldType[] = ['text', 'long_text', 'url', 'email', 'phone']

/** `baseMinor` is the amount of a money value in the base currency. */
export function toIndexEntries(
  { id, type }: Pick<CustomFieldRow, 'id' | 'type'>,
  recordId: string,
  value: unknown,
  baseMinor: number | null = null,
): IndexEntry[] {
  const empty = { field_id: id, record_id: recordId, ord: 0, txt: null, num: null, ts: null }
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((option, ord) => ({ ...empty, ord, txt: String(option) }))
  if (type === 'money') return baseMinor === null ? [] : [{ ...empty, num: baseMinor }]
  if (type === 'number') return [{ ...empty, num: value as number }]
  if (type === 'date') return [{ ...empty, ts: `${value}T00:00:00.000Z` }]
  if (type === 'datetime') return [{ ...empty, ts: value as string }]
  return [{ ...empty, txt: foldedTypes.includes(type) ? toIndexText(value as string) : String(value) }]
}

/** Texts that differ only in case are the same unique value. */
export function hashUniqueValue({ type }: Pick<CustomFieldRow, 'type'>, value: unknown): string {
  const text = foldedTypes.includes(type) ? foldCase(value as string) : canonicalJson(value)
  return createHash('sha256').update(text).digest('base64url')
}

export type UniqueValue = { field_id: string; value_hash: string; record_id: string }

export const toUniqueValues = (
  fields: readonly CustomFieldRow[],
  recordId: string,
  values: CustomValues,
): UniqueValue[] =>
  fields.flatMap((field) => {
    const value = values[field.key]
    if (!field.is_unique || value === undefined || value === null) return []
    return [{ field_id: field.id, value_hash: hashUniqueValue(field, value), record_id: recordId }]
  })
