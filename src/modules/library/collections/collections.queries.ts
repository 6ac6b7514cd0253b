import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import {
  type Database,
  decodeCursor,
  directionOf,
  type Page,
  type TenantTx,
  toLikePatterns,
  toPage,
  totalOf,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { Id } from '#platform/schema'
import type { ContentViewer } from '../content/content.rules.ts'
import type { CollectionFilter } from './collections.schemas.ts'

const columns = [
  'id',
  'name',
  'description',
  'owner_id',
  'audience_team_ids',
  'cover_item_id',
  'item_count',
  'archived_at',
  'created_at',
  'updated_at',
  'version',
] as const
export type CollectionRow = Pick<Selectable<Database['enablement.collections']>, (typeof columns)[number]>

const SortKey = Type.Tuple([Type.String(), Id])

/** Same condition as `canSeeCollection` in collections.rules.ts. */
function isVisibleTo({ isManager, userId, teamIds }: ContentViewer) {
  if (isManager) return sql<SqlBool>`true`
  return sql<SqlBool>`(owner_id = ${userId}::uuid or audience_team_ids is null or audience_team_ids && ${teamIds}::uuid[])`
}

export async function listCollectionRows(
  tx: TenantTx,
  viewer: ContentViewer,
  { include_archived, search, sort, ...page }: CollectionFilter,
): Promise<Page<CollectionRow>> {
  const order = directionOf(sort, 'name')
  let collections = tx.selectFrom('enablement.collections').where(isVisibleTo(viewer))
  if (!include_archived) collections = collections.where('archived_at', 'is', null)
  if (search) collections = collections.where(sql<SqlBool>`search_text like all (${toLikePatterns(search)}::text[])`)
  let rows = collections
    .select([...columns, 'name_key'])
    .orderBy('name_key', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit < 51 ? sql.lit(51) : sql.lit(201))
  if (page.cursor) {
    const after = decodeCursor(page.cursor, SortKey, order)
    rows = rows.where((eb) => eb(eb.refTuple('name_key', 'id'), order.after, eb.tuple(...after)))
  } else rows = rows.offset(page.offset)
  const [total, found] = await Promise.all([totalOf(tx, collections, page), rows.execute()])
  return toPage(found, total, page, ({ name_key, id }) => [name_key, id], order)
}

export function findCollection(tx: TenantTx, id: string): Promise<CollectionRow | undefined> {
  return tx.selectFrom('enablement.collections').select(columns).where('id', '=', id).executeTakeFirst()
}

export function listCollectionsByIds(tx: TenantTx, ids: readonly string[]): Promise<CollectionRow[]> {
  return tx
    .selectFrom('enablement.collections')
    .select(columns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Every change of the entries locks the collection first. */
export function lockCollection(tx: TenantTx, id: string): Promise<CollectionRow> {
  return tx
    .selectFrom('enablement.collections')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('collection'))
}

export async function lockCollectionsOfItem(tx: TenantTx, itemId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('enablement.collections')
    .select('id')
    .where(
      'id',
      '=',
      sql<string>`any(array(select collection_id from enablement.collection_items
      where content_item_id = ${itemId}))`,
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export async function findCollectionIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('enablement.collections')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export function insertCollection(tx: TenantTx, collection: Insertable<Database['enablement.collections']>) {
  return tx.insertInto('enablement.collections').values(collection).returning(columns).executeTakeFirstOrThrow()
}

export function updateCollectionRow(
  tx: TenantTx,
  id: string,
  changes: Updateable<Database['enablement.collections']>,
): Promise<CollectionRow> {
  return tx
    .updateTable('enablement.collections')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteCollectionRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.collections').where('id', '=', id).execute()
}
