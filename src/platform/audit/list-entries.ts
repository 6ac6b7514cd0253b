import { type SelectQueryBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Actor } from '#platform/access'
import { afterCursor, type Database, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import { idAt } from '#platform/ids'
import { Id, type PageQuery } from '#platform/schema'
import type { Change } from './cut-to-size.ts'
import { labelToRead } from './recent-activity.ts'
import { isSealed } from './seal.ts'

export type AuditFilter = {
  resource_type?: string
  resource_id?: string
  /** Who did it, or in whose name it was done. */
  user_id?: string
  actor_type?: Actor['type']
  /** `lead.updated`, or `lead.` for everything that happened to leads. */
  action?: string
  from?: Date
  to?: Date
}

export type AuditEntry = Awaited<ReturnType<ReturnType<typeof describe>['execute']>>[number]

const SortKey = Type.Tuple([Id])
const countedUpTo = 10_000

/** The newest first. */
export async function listAudit(tx: TenantTx, filter: AuditFilter, page: PageQuery): Promise<Page<AuditEntry>> {
  const before = page.cursor === undefined ? undefined : afterCursor(page.cursor, SortKey)[0]
  const entries = await readEntries(tx, matching(tx, filter, before), page)
  return toPage(entries, await totalOf(tx, counted(tx, filter, page), page), page, ({ id }) => [id])
}

type Entries = SelectQueryBuilder<Database, 'platform.audit_log', object>

/** What somebody did and what was done in their name are two lists, each with an index of its own. */
function matching(tx: TenantTx, filter: AuditFilter, before?: string): [Entries] | [Entries, Entries] {
  const found = within(tx.selectFrom('platform.audit_log'), filter, before)
  const { user_id: userId } = filter
  if (userId === undefined) return [found]
  const asActor = found.where('actor_user_id', '=', userId).where(sql<boolean>`user_id is distinct from ${userId}`)
  return [found.where('user_id', '=', userId), asActor]
}

function within(
  entries: Entries,
  { resource_type, resource_id, actor_type, action, from, to }: AuditFilter,
  before?: string,
): Entries {
  let found = entries
  // The kind of record is the first part of every action, and has an index that keeps the order.
  if (action?.endsWith('.')) found = found.where('resource_type', '=', action.slice(0, -1))
  else if (action) found = found.where('action', '=', action)
  if (resource_type) found = found.where('resource_type', '=', resource_type)
  if (resource_id) found = found.where('resource_id', '=', resource_id)
  if (actor_type) found = found.where('actor_type', '=', actor_type)
  if (from) found = found.where('id', '>=', idAt(from))
  if (to) found = found.where('id', '<', idAt(to))
  if (before) found = found.where('id', '<', before)
  return found
}

/** Of two lists, as much of each as the page could need. */
function readEntries(tx: TenantTx, [one, other]: [Entries, Entries?], { limit, offset, cursor }: PageQuery) {
  const skipped = cursor === undefined ? offset : 0
  if (!other)
    return describe(one)
      .limit(limit + 1)
      .offset(skipped)
      .execute()
  const newest = [one, other].map((entries) => describe(entries).limit(skipped + limit + 1))
  return tx
    .selectFrom(sql<AuditEntry>`(${sql.join(newest, sql` union all `)})`.as<'entry'>('entry'))
    .select(entryColumns)
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(skipped)
    .execute()
}

function counted(tx: TenantTx, filter: AuditFilter, { count }: PageQuery): Entries {
  const [one, other] = matching(tx, filter)
  if (!other) return one
  const ids = [one, other].map((entries) => {
    const all = entries.select('id')
    return count === 'exact' ? all : all.limit(sql.lit(countedUpTo + 1))
  })
  const both = sql<{ id: string }>`(${sql.join(ids, sql` union all `)})`.as<'entry'>('entry')
  return tx.selectFrom(both) as unknown as Entries
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

const describe = (entries: Entries) =>
  entries
    .select(plainColumns)
    .select([
      sql<Actor['type']>`actor_type`.as('actor_type'),
      sql<'success' | 'denied'>`outcome`.as('outcome'),
      sql<Change[] | null>`changes`.as('changes'),
      labelToRead.as('resource_label'),
      isSealed.as('sealed'),
    ])
    .orderBy('id', 'desc')
