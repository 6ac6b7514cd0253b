import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { maxReadPages } from '../views/page-seconds.rules.ts'
import type { InfluenceWindow } from './analytics.rules.ts'
import type { AnalyticsQuery } from './analytics.schemas.ts'

export type AnalyticsRange = { itemId: string; from: Date; audience: AnalyticsQuery['audience'] }

const isAudience = ({ audience }: AnalyticsRange) =>
  audience === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`is_internal = ${audience === 'internal'}`

export function listDailyCells(tx: TenantTx, { itemId, from, audience }: AnalyticsRange) {
  const sum = <C extends string>(column: C) => sql<number>`sum(${sql.ref(column)})::integer`.as(column)
  return tx
    .selectFrom('enablement.content_daily_stats')
    .select([
      'day',
      sum('views'),
      sum('measured'),
      sum('seconds'),
      sum('completions'),
      sum('downloads'),
      sum('public_downloads'),
    ])
    .where('item_id', '=', itemId)
    .where('day', '>=', from.toISOString().slice(0, 10))
    .where(audience === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`audience = ${audience}`)
    .groupBy('day')
    .orderBy('day')
    .execute()
}

export function findItemStats(tx: TenantTx, itemId: string) {
  return tx
    .selectFrom('enablement.content_item_stats')
    .select(['heat', 'views_28d', 'views_prev_28d', 'last_viewed_at'])
    .where('item_id', '=', itemId)
    .executeTakeFirst()
}

export async function countUniqueViewers(tx: TenantTx, range: AnalyticsRange): Promise<number> {
  const { viewers } = await tx
    .selectFrom('enablement.content_viewers')
    .select((eb) => eb.fn.countAll<number>().as('viewers'))
    .where('item_id', '=', range.itemId)
    .where('last_at', '>=', range.from)
    .where(isAudience(range))
    .executeTakeFirstOrThrow()
  return Number(viewers)
}

const viewsIn = (tx: TenantTx, range: AnalyticsRange) =>
  tx
    .selectFrom('enablement.content_views')
    .where('item_id', '=', range.itemId)
    .where('started_at', '>=', range.from)
    .where(sql<SqlBool>`not is_bot and is_counted and source <> 'public'`)
    .where(isAudience(range))

const views = sql<number>`count(*)::integer`.as('views')
const seconds = sql<number>`sum(active_seconds)::integer`.as('seconds')

export async function readMedianSeconds(tx: TenantTx, range: AnalyticsRange): Promise<number | null> {
  const { median } = await viewsIn(tx, range)
    .select(sql<number | null>`percentile_cont(0.5) within group (order by active_seconds)`.as('median'))
    .where('heartbeats', '>', 0)
    .executeTakeFirstOrThrow()
  return median
}

/** Counts the measured views by page that was read. Views without pages, such as older ones, read all until their last page. */
export function listPageReads(tx: TenantTx, range: AnalyticsRange) {
  const read = sql<{ page: number; seconds: number | null }>`lateral (
    select key::integer as page, value::integer as seconds from jsonb_each_text(content_views.page_seconds) as entry (key, value)
    union all
    select page, null from generate_series(1, least(content_views.max_page, ${sql.lit(maxReadPages)})) as page
    where content_views.page_seconds is null and content_views.max_page is not null
  )`
  return viewsIn(tx, range)
    .innerJoin(read.as('read'), (join) => join.onTrue())
    .select(['read.page', views, sql<number | null>`avg(read.seconds)::double precision`.as('average_seconds')])
    .where('heartbeats', '>', 0)
    .where('read.page', '<=', maxReadPages)
    .groupBy('read.page')
    .orderBy('read.page')
    .execute()
}

export async function countMeasuredViews(tx: TenantTx, range: AnalyticsRange): Promise<number> {
  const counted = await viewsIn(tx, range).select(views).where('heartbeats', '>', 0).executeTakeFirstOrThrow()
  return counted.views
}

export const listUserViews = (tx: TenantTx, range: AnalyticsRange) =>
  viewsIn(tx, range)
    .select([sql<string>`user_id`.as('user_id'), views, seconds])
    .where('user_id', 'is not', null)
    .groupBy('user_id')
    .orderBy('views', 'desc')
    .orderBy('user_id')
    .limit(1_000)
    .execute()

/** Lists the rooms with the most views, deleted ones included. */
export const listRoomViews = (tx: TenantTx, range: AnalyticsRange) =>
  viewsIn(tx, range)
    .select([sql<string>`room_id`.as('room_id'), views, seconds])
    .where('room_id', 'is not', null)
    .groupBy('room_id')
    .orderBy('views', 'desc')
    .orderBy('room_id')
    .limit(100)
    .execute()

export const listVersionViews = (tx: TenantTx, range: AnalyticsRange) =>
  viewsIn(tx, range)
    .select(['version_no', views])
    .groupBy('version_no')
    .orderBy('version_no', 'desc')
    .limit(100)
    .execute()

const isBuyerView = sql<SqlBool>`not is_internal and not is_bot and is_counted and active_seconds >= 5`

export async function listViewedDealIds(tx: TenantTx, itemId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('enablement.content_views')
    .select('opportunity_id')
    .distinct()
    .where('item_id', '=', itemId)
    .where('opportunity_id', 'is not', null)
    .where(isBuyerView)
    .limit(10_000)
    .execute()
  return rows.map(({ opportunity_id }) => opportunity_id!)
}

/** Returns the deals with a view of a buyer in their window. */
export async function filterInfluencedDeals(
  tx: TenantTx,
  itemId: string,
  deals: readonly InfluenceWindow[],
): Promise<Set<string>> {
  const column = (field: keyof InfluenceWindow) => deals.map((deal) => deal[field])
  const { rows } = await sql<{ id: string }>`
    select deal.id from unnest(${column('id')}::uuid[], ${column('from')}::timestamptz[], ${column('to')}::timestamptz[])
      as deal (id, starts_at, ends_at)
    where exists (select from enablement.content_views where opportunity_id = deal.id and item_id = ${itemId}
      and started_at between deal.starts_at and deal.ends_at and ${isBuyerView})
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export type Influence = { item_id: string; opportunity_id: string; first_at: Date; last_at: Date; seconds: number }

export async function listInfluences(tx: TenantTx, deals: readonly InfluenceWindow[]): Promise<Influence[]> {
  if (!deals.length) return []
  const column = (field: keyof InfluenceWindow) => deals.map((deal) => deal[field])
  const { rows } = await sql<Influence>`
    select view.item_id, deal.id as opportunity_id, min(view.started_at) as first_at, max(view.started_at) as last_at,
      sum(view.active_seconds)::integer as seconds
    from unnest(${column('id')}::uuid[], ${column('from')}::timestamptz[], ${column('to')}::timestamptz[])
      as deal (id, starts_at, ends_at)
    cross join lateral (select item_id, started_at, active_seconds from enablement.content_views
      where opportunity_id = deal.id and started_at between deal.starts_at and deal.ends_at and ${isBuyerView} offset 0) as view
    group by view.item_id, deal.id
  `.execute(tx)
  return rows
}
