import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { canonicalJson } from '#platform/canonical-json'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type AuditedRecord, diffRecords, toStorableText } from './changes.ts'
import { digestOfJson } from './digest.ts'
import { maskCredentials } from './secrets.ts'
import { type FieldChange, truncateText } from './truncate-changes.ts'

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
