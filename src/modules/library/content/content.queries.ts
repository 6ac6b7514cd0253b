import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { ContentViewer } from './content.rules.ts'
import { isVisibleTo } from './content-visibility.queries.ts'

const summaryColumns = [
  'id',
  'title',
  'description',
  'type',
  'category',
  'tags',
  'stages',
  'industries',
  'products',
  'buyer_roles',
  'language',
  'status',
  'visibility',
  'audience_team_ids',
  'url',
  'current_version_id',
  'owner_id',
  'created_by',
  'is_required_reading',
  'review_interval_days',
  'last_reviewed_at',
  'reviewed_by',
  'next_review_at',
  'needs_update_at',
  'expires_at',
  'superseded_by_id',
  'published_at',
  'archived_at',
  'archive_reason',
  'created_at',
  'updated_at',
  'version',
] as const
const itemColumns = [...summaryColumns, 'body'] as const

type Item = Selectable<Database['enablement.content_items']>
export type ContentRow = Pick<Item, (typeof itemColumns)[number]>
export type ContentSummaryRow = Pick<Item, (typeof summaryColumns)[number]>

/** The item with what its representation needs from other tables of the schema. */
export type PresentedRow<Row extends ContentSummaryRow = ContentSummaryRow> = Row & {
  replacement_title: string | null
  version_no: number | null
  file_id: string | null
  views_28d: number | null
  unique_viewers: number | null
  heat: number | null
}

type ItemQuery = SelectQueryBuilder<Database & { item: Database['enablement.content_items'] }, 'item', unknown>

export const selectSummaries = (items: ItemQuery) =>
  withRelated(items).select(summaryColumns.map((column) => `item.${column}` as const))

const withRelated = (items: ItemQuery) =>
  items
    .leftJoin('enablement.content_items as replacement', 'replacement.id', 'item.superseded_by_id')
    .leftJoin('enablement.content_versions as current', 'current.id', 'item.current_version_id')
    .leftJoin('enablement.content_item_stats as stats', 'stats.item_id', 'item.id')
    .select([
      'replacement.title as replacement_title',
      'current.version_no',
      'current.file_id',
      'stats.views_28d',
      'stats.unique_viewers',
      'stats.heat',
    ])

export const itemsAs = (tx: TenantTx): ItemQuery =>
  tx.selectFrom('enablement.content_items as item').where('item.deleted_at', 'is', null) as unknown as ItemQuery

export function getVisibleItem(tx: TenantTx, id: string, viewer: ContentViewer): Promise<PresentedRow<ContentRow>> {
  return selectItem(tx, id)
    .where(isVisibleTo(viewer))
    .executeTakeFirstOrThrow(() => notFound('content item')) as Promise<PresentedRow<ContentRow>>
}

export function getItem(tx: TenantTx, id: string): Promise<PresentedRow<ContentRow>> {
  return selectItem(tx, id).executeTakeFirstOrThrow(() => notFound('content item')) as Promise<PresentedRow<ContentRow>>
}

const selectItem = (tx: TenantTx, id: string) =>
  withRelated(itemsAs(tx))
    .select(itemColumns.map((column) => `item.${column}` as const))
    .where('item.id', '=', id)

export function listItemsByIds(tx: TenantTx, ids: readonly string[]): Promise<PresentedRow<ContentRow>[]> {
  return withRelated(itemsAs(tx))
    .select(itemColumns.map((column) => `item.${column}` as const))
    .where('item.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute() as Promise<PresentedRow<ContentRow>[]>
}

export function lockItem(tx: TenantTx, id: string): Promise<ContentRow> {
  return tx
    .selectFrom('enablement.content_items')
    .select(itemColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('content item'))
}

export function lockItemIfExists(tx: TenantTx, id: string): Promise<ContentRow | undefined> {
  return tx
    .selectFrom('enablement.content_items')
    .select(itemColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Prevents changes and the deletion of the items, for records that refer to them. */
export function lockItemsShared(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('enablement.content_items')
    .select(['id', 'status', 'owner_id', 'audience_team_ids', 'type'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
}

export function insertItem(tx: TenantTx, item: Insertable<Database['enablement.content_items']>): Promise<ContentRow> {
  return tx.insertInto('enablement.content_items').values(item).returning(itemColumns).executeTakeFirstOrThrow()
}

export async function insertItemStats(tx: TenantTx, itemId: string): Promise<void> {
  await tx.insertInto('enablement.content_item_stats').values({ item_id: itemId }).execute()
}

export function updateItemRow(
  tx: TenantTx,
  id: string,
  changes: Updateable<Database['enablement.content_items']>,
): Promise<ContentRow> {
  return tx
    .updateTable('enablement.content_items')
    .set(changes)
    .where('id', '=', id)
    .returning(itemColumns)
    .executeTakeFirstOrThrow()
}

type ChainedItem = Pick<ContentRow, 'id' | 'status' | 'owner_id' | 'audience_team_ids'>

/** Returns the chain of replacements from an item on, itself included. */
export async function listReplacementChain(tx: TenantTx, id: string): Promise<ChainedItem[]> {
  const { rows } = await sql<ChainedItem>`
    with recursive chain as (
      select id, status, owner_id, audience_team_ids, superseded_by_id, 1 as depth from enablement.content_items
      where id = ${id} and deleted_at is null
      union all
      select next.id, next.status, next.owner_id, next.audience_team_ids, next.superseded_by_id, chain.depth + 1
      from chain join enablement.content_items next on next.id = chain.superseded_by_id and next.deleted_at is null
      where chain.depth < 100
    )
    select id, status, owner_id, audience_team_ids from chain order by depth
  `.execute(tx)
  return rows
}

export async function listCategories(tx: TenantTx, viewer: ContentViewer) {
  const rows = await itemsAs(tx)
    .select((eb) => ['item.category', eb.fn.countAll<number>().as('item_count')])
    .where('item.category', 'is not', null)
    .where('item.status', '=', 'published')
    .where(isVisibleTo(viewer))
    .groupBy('item.category')
    .orderBy('item.category')
    .limit(1_000)
    .execute()
  const items = rows.map(({ category, item_count }) => ({ category: category!, item_count: Number(item_count) }))
  return { items, total: items.length }
}

/** Returns, per archived item, the published item at the end of its chain of replacements. */
export async function listReplacements(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ requested_id: string; id: string }>`
    with recursive chain as (
      select id as requested_id, superseded_by_id as next_id, 1 as depth from enablement.content_items
      where id = any (${ids}::uuid[]) and status = 'archived' and superseded_by_id is not null
      union all
      select chain.requested_id, item.superseded_by_id, chain.depth + 1
      from chain join enablement.content_items item on item.id = chain.next_id
      where item.status = 'archived' and item.superseded_by_id is not null and chain.depth < 20
    )
    select chain.requested_id, item.id from chain join enablement.content_items item on item.id = chain.next_id
    where item.status = 'published' and item.deleted_at is null
  `.execute(tx)
  return new Map(rows.map(({ requested_id, id }) => [requested_id, id]))
}
