import { randomBytes } from 'node:crypto'
import { type SelectQueryBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Actor } from '#platform/access'
import {
  countLimit,
  type Database,
  decodeCursor,
  directionOf,
  type ListDirection,
  type Page,
  type TenantTx,
  toPage,
  totalOf,
} from '#platform/db'
import { minIdAt } from '#platform/ids'
import { Id, type PageQuery, type SortedPageQuery } from '#platform/schema'
import { digestOf } from './chain.ts'
import type { FieldChange } from './record-audit.ts'
import { isSealed } from './seal.ts'

export type RecentActivity = Awaited<ReturnType<typeof listRecentActivity>>[number]

export function listRecentActivity(tx: TenantTx, userId: string, limit: number) {
  return tx
    .selectFrom('platform.audit_log')
    .select(['action', 'resource_type', 'resource_id', visibleLabel.as('resource_label'), 'created_at as occurred_at'])
    .where('user_id', '=', userId)
    .where('actor_user_id', 'is', null)
    .where('outcome', '=', 'success')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export const visibleLabel = sql<
  string | null
>`case when audit_log.redacted_at is null then audit_log.resource_label else '[erased]' end`

export type AuditFilter = {
  resource_type?: string
  resource_id?: string
  /** Matches the user and the admin of an impersonation. */
  user_id?: string
  actor_type?: Actor['type']
  /** `lead.updated`, or the prefix `lead.` for all actions on leads. */
  action?: string
  from?: Date
  to?: Date
}

export type AuditEntry = Awaited<ReturnType<ReturnType<typeof selectEntry>['execute']>>[number]

const SortKey = Type.Tuple([Id])

export async function listAuditEntries(
  tx: TenantTx,
  filter: AuditFilter,
  page: SortedPageQuery,
): Promise<Page<AuditEntry>> {
  const order = directionOf(page.sort, '-created_at')
  const position = page.cursor === undefined ? undefined : { id: decodeCursor(page.cursor, SortKey, order)[0], order }
  const entries = await readPage(tx, matchingEntries(tx, filter, position), page, order)
  const total = await totalOf(tx, entriesToCount(tx, filter, page), page)
  return toPage(entries, total, page, ({ id }) => [id], order)
}

type Position = { id: string; order: ListDirection }
type EntryQuery = SelectQueryBuilder<Database, 'platform.audit_log', object>

/** Returns one query per index: `user_id` and `actor_user_id` have separate indexes. */
function matchingEntries(
  tx: TenantTx,
  filter: AuditFilter,
  position?: Position,
): [EntryQuery] | [EntryQuery, EntryQuery] {
  const filtered = applyFilter(tx.selectFrom('platform.audit_log'), filter, position)
  const { user_id: userId } = filter
  if (userId === undefined) return [filtered]
  const asActor = filtered.where('actor_user_id', '=', userId).where(sql<boolean>`user_id is distinct from ${userId}`)
  return [filtered.where('user_id', '=', userId), asActor]
}

function applyFilter(
  entries: EntryQuery,
  { resource_type, resource_id, actor_type, action, from, to }: AuditFilter,
  position?: Position,
): EntryQuery {
  let filtered = entries
  // The resource type is the first part of every action and has an index in list order.
  if (action?.endsWith('.')) filtered = filtered.where('resource_type', '=', action.slice(0, -1))
  else if (action) filtered = filtered.where('action', '=', action)
  if (resource_type) filtered = filtered.where('resource_type', '=', resource_type)
  if (resource_id) filtered = filtered.where('resource_id', '=', resource_id)
  if (actor_type) filtered = filtered.where('actor_type', '=', actor_type)
  if (from) filtered = filtered.where('id', '>=', minIdAt(from))
  if (to) filtered = filtered.where('id', '<', minIdAt(to))
  if (position) filtered = filtered.where('id', position.order.after, position.id)
  return filtered
}

function readPage(
  tx: TenantTx,
  [first, second]: [EntryQuery, EntryQuery?],
  { limit, offset, cursor }: PageQuery,
  order: ListDirection,
) {
  const skipped = cursor === undefined ? offset : 0
  if (!second)
    return selectEntry(first, order)
      .limit(limit + 1)
      .offset(skipped)
      .execute()
  const scans = [first, second].map((entries) => selectEntry(entries, order).limit(skipped + limit + 1))
  return tx
    .selectFrom(sql<AuditEntry>`(${sql.join(scans, sql` union all `)})`.as<'entry'>('entry'))
    .select(entryColumns)
    .orderBy('id', order.direction)
    .limit(limit + 1)
    .offset(skipped)
    .execute()
}

function entriesToCount(tx: TenantTx, filter: AuditFilter, { count }: PageQuery): EntryQuery {
  const [first, second] = matchingEntries(tx, filter)
  if (!second) return first
  const ids = [first, second].map((entries) => {
    const all = entries.select('id')
    return count === 'exact' ? all : all.limit(sql.lit(countLimit + 1))
  })
  const both = sql<{ id: string }>`(${sql.join(ids, sql` union all `)})`.as<'entry'>('entry')
  return tx.selectFrom(both) as unknown as EntryQuery
}

const plainColumns = [
  'id',
  'created_at',
  'action',
  'resource_type',
  'resource_id',
  'user_id',
  'actor_user_id',
  'api_key_id',
  'session_id',
  'ip',
  'user_agent',
  'request_id',
  'reason',
  'redacted_at',
] as const
const entryColumns = [...plainColumns, 'actor_type', 'outcome', 'changes', 'resource_label', 'sealed'] as const

const selectEntry = (entries: EntryQuery, { direction }: ListDirection) =>
  entries
    .select(plainColumns)
    .select([
      sql<Actor['type']>`actor_type`.as('actor_type'),
      sql<'success' | 'denied'>`outcome`.as('outcome'),
      sql<FieldChange[] | null>`changes`.as('changes'),
      visibleLabel.as('resource_label'),
      isSealed.as('sealed'),
    ])
    .orderBy('id', direction)

export async function hasAuditEntriesSince(tx: TenantTx, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from platform.audit_log where id > platform.id_at(${since}::timestamptz) limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Returns which of these records users have changed since. Changes of the system do not count. */
export async function listChangedResources(tx: TenantTx, ids: readonly string[], since: Date): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct resource_id as id from platform.audit_log
    where id > platform.id_at(${since}::timestamptz) and resource_id = any(${ids}::uuid[]) and actor_type <> 'system'
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

type ExportedEntry = { resource_label: string | null; changes: unknown; redacted_at: string | null; digest: string }

/** Gives an exported entry, which has no salt, a new digest. Without transaction id it is sealed in the chain of its new workspace. */
export function renewAuditEntry(line: string): string {
  const { epoch: _epoch, xact: _xact, ...entry }: ExportedEntry & { epoch?: unknown; xact?: unknown } = JSON.parse(line)
  if (entry.redacted_at !== null) return JSON.stringify(entry)
  const salt = randomBytes(16)
  return JSON.stringify({ ...entry, salt: toHex(salt), digest: toHex(digestOf(salt, entry)) })
}

export const renewedAuditColumns = (columns: readonly string[]): string[] => [
  ...columns.filter((column) => column !== 'epoch' && column !== 'xact'),
  'salt',
]

const toHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
