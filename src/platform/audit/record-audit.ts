import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { canonicalJson } from '#platform/canonical-json'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { digestOfJson } from './chain.ts'

type AuditedRecord = Readonly<Record<string, unknown>>

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
const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

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

export type FieldChange = { field: string; before: unknown; after: unknown; truncated?: true }

const maxBytes = 32 * 1024
const longestValue = 16 * 1024
const shortestValue = 32

/** Limits changes to 32 KiB by truncating long values, and omits the last fields if that is not enough. */
function truncateChanges(changes: FieldChange[]): FieldChange[] {
  if (byteLength(changes) <= maxBytes) return changes
  for (let length = longestValue; length >= shortestValue; length /= 2) {
    const truncated = changes.map((change) => truncateChange(change, length))
    if (byteLength(truncated) <= maxBytes) return truncated
  }
  return keepFirstFields(changes.map((change) => truncateChange(change, shortestValue)))
}

function truncateChange(change: FieldChange, length: number): FieldChange {
  const [before, after] = [truncateValue(change.before, length), truncateValue(change.after, length)]
  if (before === change.before && after === change.after) return change
  return { ...change, before, after, truncated: true }
}

function truncateValue(value: unknown, length: number): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= length ? value : truncateText(text, length)
}

/** Does not split a surrogate pair. */
const truncateText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

function keepFirstFields(changes: FieldChange[]): FieldChange[] {
  const omitted: FieldChange = { field: '…', before: null, after: null, truncated: true }
  let remaining = maxBytes - byteLength([omitted])
  const kept = changes.filter((change) => {
    remaining -= byteLength(change) + 1
    return remaining >= 0
  })
  return [...kept, omitted]
}

const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const redactedMarker = '[redacted]'

const secretName =
  /(^|_)(pass(word|wd|phrase|code)s?|pwd|secrets?|tokens?|hash(es)?|salt|t?otp|cookies?|ciphertext|bearer|authorization|credentials?|signature|(api|private|secret|signing|encryption|access|master|data|recovery)_?(keys?|codes?))(_|$)/
const metadataSuffix = /_(at|on|id|ids|length|seconds|minutes|hours|days|count|prefix)$/

const credentialPatterns = [
  /svc_[a-z]+_[A-Za-z0-9]{16,}/g,
  /whsec_[A-Za-z0-9+/=_-]{16,}/g,
  /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g,
  /\$(argon2|scrypt|2[aby])[a-z]*\$[^\s"']+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*-----|$)/g,
  /(?<=:\/\/)[^\s/@:]{0,200}:[^\s/@]{1,200}(?=@)/g,
]

/** Matches every text with a credential, and few others. */
const mayHaveCredential = /svc_|whsec_|eyJ|\$(?:argon2|scrypt|2)|-----BEGIN |:\/\//

const maxKnownFields = 1_000
const knownFields = new Map<string, boolean>()

/** Checks the name in any spelling: `client_secret`, `clientSecret`, `X-Api-Key`. */
function isSecretField(field: string): boolean {
  const known = knownFields.get(field)
  if (known !== undefined) return known
  const isSecret = hasSecretName(field)
  if (knownFields.size < maxKnownFields) knownFields.set(field, isSecret)
  return isSecret
}

function hasSecretName(field: string): boolean {
  const name = field
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
  return secretName.test(name) && !metadataSuffix.test(name)
}

/** Redacts secret values recursively. Null and booleans are kept, because they reveal no secret. */
function redactSecrets(field: string, value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (isSecretField(field)) return redactedMarker
  if (typeof value === 'string') return maskCredentials(value)
  if (Array.isArray(value)) return value.map((item) => redactSecrets('', item))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactSecrets(name, member)]))
}

const maskCredentials = (text: string): string =>
  mayHaveCredential.test(text)
    ? credentialPatterns.reduce((masked, credential) => masked.replace(credential, redactedMarker), text)
    : text

const saltBytes = 16

export type AuditAction = `${string}.${string}`

export type NewAuditEntry = {
  id: string | null
  /** Display name, because the record may be deleted when the entry is read. */
  label?: string | null
  before?: AuditedRecord | null
  after?: AuditedRecord | null
  reason?: string | null
  outcome?: 'success' | 'denied'
}

/** Records an action in the transaction of the change, with the changed fields but without secrets. */
export const recordAudit = (tx: TenantTx, action: AuditAction, entry: NewAuditEntry): Promise<void> =>
  recordAuditEntries(tx, action, [entry])

/** Records a denied action. Needs a separate transaction, because the denial rolls back its own. */
export const recordAuditDenial = (
  tx: TenantTx,
  action: AuditAction,
  entry: Omit<NewAuditEntry, 'outcome'>,
): Promise<void> => recordAudit(tx, action, { ...entry, outcome: 'denied' })

export function recordAuditEntries(
  tx: TenantTx,
  action: AuditAction,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  const actor = actorOf(tx)
  const salts = randomBytes(saltBytes * entries.length)
  return insertAuditEntries(
    tx,
    entries.map((entry, index) => {
      const salt = salts.subarray(saltBytes * index, saltBytes * (index + 1))
      return prepareAuditEntry(actor, action, entry, salt)
    }),
  )
}

/** Inserts entries of different actors in one statement; skips entries that already exist. */
export async function insertAuditEntries(tx: TenantTx, rows: readonly PreparedAuditEntry[]): Promise<void> {
  if (!rows.length) return
  await sql`
    insert into platform.audit_log (action, resource_type, actor_type, user_id, actor_user_id, api_key_id, session_id,
      ip, user_agent, request_id, id, resource_id, resource_label, outcome, reason, changes, salt, digest)
    select entry.* from jsonb_to_recordset(${`[${rows.map(toJson).join()}]`}::jsonb) as entry (
      action text, resource_type text, actor_type text, user_id uuid, actor_user_id uuid, api_key_id uuid, session_id uuid,
      ip inet, user_agent text, request_id text, id uuid, resource_id uuid, resource_label text, outcome text, reason text,
      changes jsonb, salt bytea, digest bytea)
    on conflict (tenant_id, id) do nothing
  `.execute(tx)
}

const toJson = ({ changes, salt, digest, ...entry }: PreparedAuditEntry): string => {
  const bytes = { salt: toHex(salt), digest: toHex(digest) }
  return `${JSON.stringify({ ...entry, ...bytes }).slice(0, -1)},"changes":${changes}}`
}

const toHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

export type PreparedAuditEntry = ReturnType<typeof prepareAuditEntry>

/** Prepares an entry that is inserted later than its action. */
export function prepareAuditEntry(
  { type, userId, actorUserId, apiKeyId, sessionId, trace }: Actor,
  action: AuditAction,
  { id, label, before, after, reason, outcome = 'success' }: NewAuditEntry,
  salt: Buffer = randomBytes(saltBytes),
) {
  const resource_label = toShortText(label, 200)
  const changes = before || after ? diffRecords(before ?? null, after ?? null) : null
  const changesJson = changes ? `[${changes.map(changeToJson).join()}]` : 'null'
  return {
    action,
    resource_type: action.split('.', 1)[0]!,
    actor_type: type,
    user_id: userId,
    actor_user_id: actorUserId,
    api_key_id: apiKeyId,
    session_id: sessionId,
    ip: toIpAddress(trace?.ip),
    user_agent: toShortText(trace?.userAgent, 512),
    request_id: toShortText(trace?.requestId, 200),
    id: newId(),
    resource_id: id,
    resource_label,
    outcome,
    reason: toShortText(reason, 1_000),
    changes: changes && changesJson,
    salt,
    digest: digestOfJson(salt, resource_label, changesJson),
  }
}

/** Canonical JSON: the members are in alphabetical order. */
const changeToJson = ({ field, before, after, truncated }: FieldChange): string =>
  `{"after":${canonicalJson(after)},"before":${canonicalJson(before)},"field":${JSON.stringify(field)}${truncated ? ',"truncated":true' : ''}}`

const toShortText = (text: string | null | undefined, length: number): string | null =>
  text ? truncateText(maskCredentials(toStorableText(text)), length) : null

/** Drops IP addresses that PostgreSQL rejects, such as those with a zone, so that they do not fail the change. */
const toIpAddress = (ip: string | undefined): string | null => (ip && isIP(ip) && !ip.includes('%') ? ip : null)
