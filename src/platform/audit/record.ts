import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { changesBetween, type Row, storableText } from './changes.ts'
import { cutText } from './cut-to-size.ts'
import { digestOf } from './digest.ts'
import { maskCredentials } from './secrets.ts'

/** `lead.updated`: the kind of record, and the fact. */
export type Action = `${string}.${string}`

export type Entry = {
  /** Of the record, or null where there is none. */
  id: string | null
  /** What people call the record, since it may be gone when the entry is read. */
  label?: string | null
  before?: Row | null
  after?: Row | null
  reason?: string | null
  outcome?: 'success' | 'denied'
}

/** Notes who did what, in the transaction of the change. Of the record it keeps the fields that differ, and no secrets. */
export const record = (tx: TenantTx, action: Action, entry: Entry): Promise<void> => recordEach(tx, action, [entry])

/** Notes that somebody was refused. The refusal itself undoes its transaction, so this wants one of its own. */
export const recordDenied = (tx: TenantTx, action: Action, entry: Omit<Entry, 'outcome'>): Promise<void> =>
  record(tx, action, { ...entry, outcome: 'denied' })

/** The same action on many records, in one statement. */
export function recordEach(tx: TenantTx, action: Action, entries: readonly Entry[]): Promise<void> {
  const actor = actorOf(tx)
  return recordPrepared(
    tx,
    entries.map((entry) => prepareEntry(actor, action, entry)),
  )
}

/** What different people did, in one statement. An entry that was written already is not written again. */
export async function recordPrepared(tx: TenantTx, rows: readonly PreparedEntry[]): Promise<void> {
  if (!rows.length) return
  const column = <K extends keyof PreparedEntry>(name: K) => rows.map((row) => row[name])
  await sql`
    insert into platform.audit_log (action, resource_type, actor_type, user_id, actor_user_id, api_key_id, session_id,
      ip, user_agent, request_id, id, resource_id, resource_label, outcome, reason, changes, salt, digest)
    select entry.* from unnest(${column('action')}::text[], ${column('resource_type')}::text[],
      ${column('actor_type')}::text[], ${column('user_id')}::uuid[], ${column('actor_user_id')}::uuid[],
      ${column('api_key_id')}::uuid[], ${column('session_id')}::uuid[], ${column('ip')}::inet[],
      ${column('user_agent')}::text[], ${column('request_id')}::text[], ${column('id')}::uuid[],
      ${column('resource_id')}::uuid[], ${column('resource_label')}::text[], ${column('outcome')}::text[],
      ${column('reason')}::text[], ${column('changes')}::jsonb[], ${column('salt')}::bytea[],
      ${column('digest')}::bytea[]) as entry
    on conflict (tenant_id, id) do nothing
  `.execute(tx)
}

export type PreparedEntry = ReturnType<typeof prepareEntry>

/** An entry as it is stored, for whoever has to write it down later than it happened. */
export function prepareEntry(
  { type, userId, actorUserId, apiKeyId, sessionId, trace }: Actor,
  action: Action,
  { id, label, before, after, reason, outcome = 'success' }: Entry,
) {
  const salt = randomBytes(16)
  const resource_label = shortText(label, 200)
  const changes = before || after ? changesBetween(before ?? null, after ?? null) : null
  return {
    action,
    resource_type: action.split('.', 1)[0]!,
    actor_type: type,
    user_id: userId,
    actor_user_id: actorUserId,
    api_key_id: apiKeyId,
    session_id: sessionId,
    ip: addressOf(trace?.ip),
    user_agent: shortText(trace?.userAgent, 512),
    request_id: shortText(trace?.requestId, 200),
    id: newId(),
    resource_id: id,
    resource_label,
    outcome,
    reason: shortText(reason, 1_000),
    changes: changes && JSON.stringify(changes),
    salt,
    digest: digestOf(salt, { resource_label, changes }),
  }
}

const shortText = (text: string | null | undefined, length: number): string | null =>
  text ? cutText(maskCredentials(storableText(text)), length) : null

/** An address PostgreSQL would refuse, such as one with a zone, must not undo the change. */
const addressOf = (ip: string | undefined): string | null => (ip && isIP(ip) && !ip.includes('%') ? ip : null)
