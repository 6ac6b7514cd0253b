import { canonicalJson } from '#platform/canonical-json'
import { type Change, cutToSize } from './cut-to-size.ts'
import { withoutSecrets } from './secrets.ts'

/** A record as it was read, before or after. A field that is missing counts as null. */
export type Row = Readonly<Record<string, unknown>>

const bookkeeping = new Set(['id', 'tenant_id', 'version', 'updated_at', 'search_text', 'email_key', 'name_key'])

/** The fields that differ, as they may be kept for years: without secrets, and cut where they are long. */
export function changesBetween(before: Row | null, after: Row | null): Change[] {
  const all: Row = { ...before, ...after }
  const fields = Object.keys(all).filter((field) => !isBookkeeping(field, all))
  return cutToSize(fields.flatMap((field) => changeOf(field, before?.[field], after?.[field])))
}

/** `company_key` beside `company` is made from it by the database. `stage_key` alone is a value of its own. */
function isBookkeeping(field: string, row: Row): boolean {
  return bookkeeping.has(field) || (field.endsWith('_key') && field.slice(0, -'_key'.length) in row)
}

function changeOf(field: string, before: unknown, after: unknown): Change[] {
  if (isPlainlySame(before ?? null, after ?? null)) return []
  const [was, is] = [asJson(before), asJson(after)]
  if (canonicalJson(was) === canonicalJson(is) && !areOtherBytes(before, after)) return []
  return [{ field: storableText(field), before: withoutSecrets(field, was), after: withoutSecrets(field, is) }]
}

/** Most fields of a record stay as they are, and spelling a value out is dear. */
function isPlainlySame(before: unknown, after: unknown): boolean {
  if (before instanceof Date && after instanceof Date) return before.getTime() === after.getTime()
  return before === after && (before === null || typeof before !== 'object')
}

const areOtherBytes = (one: unknown, other: unknown): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) !== 0

/** PostgreSQL holds no U+0000 and no half characters. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** The value as PostgreSQL gives it back from jsonb, with something in place of what it cannot hold. */
function asJson(value: unknown): unknown {
  const json = JSON.stringify(value ?? null, withoutBytes) ?? 'null'
  return JSON.parse(json.replace(/\\(?:\\|u0000|ud[89a-f]..)/g, (found) => (found === '\\\\' ? found : '\\ufffd')))
}

function withoutBytes(this: unknown, name: string, value: unknown): unknown {
  if ((this as Row)[name] instanceof Uint8Array) return '[binary]'
  return typeof value === 'bigint' ? value.toString() : value
}
