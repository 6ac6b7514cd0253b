import { canonicalJson } from '#platform/canonical-json'
import { redactSecrets } from './secrets.ts'
import { type FieldChange, truncateChanges } from './truncate-changes.ts'

export type AuditedRecord = Readonly<Record<string, unknown>>

const derivedFields = new Set(['id', 'tenant_id', 'version', 'updated_at', 'search_text', 'email_key', 'name_key'])

export function diffRecords(before: AuditedRecord | null, after: AuditedRecord | null): FieldChange[] {
  const all: AuditedRecord = before && after ? { ...before, ...after } : (after ?? before ?? {})
  const changes: FieldChange[] = []
  for (const field of Object.keys(all)) {
    const [old, current] = [before?.[field], after?.[field]]
    if (isTriviallyEqual(old ?? null, current ?? null) || isDerivedField(field, all)) continue
    const change = diffField(field, old, current)
    if (change) changes.push(change)
  }
  return truncateChanges(changes)
}

/** True for generated columns such as `company_key` beside `company`; `stage_key` without `stage` is a normal field. */
function isDerivedField(field: string, row: AuditedRecord): boolean {
  return derivedFields.has(field) || (field.endsWith('_key') && field.slice(0, -'_key'.length) in row)
}

function diffField(field: string, before: unknown, after: unknown): FieldChange | undefined {
  const [oldValue, newValue] = [toJsonValue(before), toJsonValue(after)]
  if (areEqualJson(oldValue, newValue) && !areDifferentBytes(before, after)) return undefined
  return { field: toStorableText(field), before: redactSecrets(field, oldValue), after: redactSecrets(field, newValue) }
}

/** Compares without serializing, which is expensive; most fields are unchanged. */
function isTriviallyEqual(before: unknown, after: unknown): boolean {
  if (before instanceof Date && after instanceof Date) return before.getTime() === after.getTime()
  return before === after && (before === null || typeof before !== 'object')
}

const areEqualJson = (one: unknown, other: unknown): boolean =>
  isScalar(one) || isScalar(other) ? one === other : canonicalJson(one) === canonicalJson(other)

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

const areDifferentBytes = (before: unknown, after: unknown): boolean =>
  before instanceof Uint8Array && after instanceof Uint8Array && Buffer.compare(before, after) !== 0

/** Replaces U+0000 and lone surrogates, which PostgreSQL rejects. */
export const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Converts a value to what PostgreSQL returns from jsonb, with replacement characters for unsupported ones. */
function toJsonValue(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value === 'boolean' || Number.isFinite(value)) return value
  const json = JSON.stringify(value, replaceBytes) ?? 'null'
  return JSON.parse(json.replace(/\\(?:\\|u0000|ud[89a-f]..)/g, (match) => (match === '\\\\' ? match : '\\ufffd')))
}

function replaceBytes(this: unknown, name: string, value: unknown): unknown {
  if ((this as AuditedRecord)[name] instanceof Uint8Array) return '[binary]'
  return typeof value === 'bigint' ? value.toString() : value
}
