import { type SqlBool, sql } from 'kysely'
import { listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

export type AnalyticsRange = { roomId: string; since: Date; includesInternal: boolean }

const isCounted = ({ roomId, since, includesInternal }: AnalyticsRange) => sql<SqlBool>`room_id = ${roomId}
  and started_at >= ${since} and counted_at is not null and not is_bot and (not is_internal or ${includesInternal}::boolean)`

const isCountedView = ({ roomId, since, includesInternal }: AnalyticsRange) => sql<SqlBool>`room_id = ${roomId}
  and started_at >= ${since} and is_counted and not is_bot and (not is_internal or ${includesInternal}::boolean)`

/** Engaged visitors stayed a minute or longer; returned ones came on different days. */
export async function readVisitorTotals(tx: TenantTx, range: AnalyticsRange) {
  const { rows } = await sql<{
    visitors: number
    identified: number
    verified: number
    engaged: number
    returned: number
  }>`
    select count(*)::integer as visitors, count(visitor.email)::integer as identified,
      count(visitor.email_verified_at)::integer as verified,
      (count(*) filter (where seconds >= 60))::integer as engaged, (count(*) filter (where days >= 2))::integer as returned
    from (select visitor_id, sum(active_seconds) as seconds, count(distinct (started_at at time zone 'UTC')::date) as days
      from enablement.room_visits where ${isCounted(range)} group by visitor_id) as visited
    join enablement.room_visitors as visitor on visitor.id = visited.visitor_id
  `.execute(tx)
  return rows[0]!
}

type VisitorTotals = {
  id: string
  email: string | null
  name: string | null
  email_verified_at: Date | null
  contact_id: string | null
  is_internal: boolean
  last_seen_at: Date
  visits: number
  seconds: number
  items_viewed: number
}

export async function listVisitorTotals(tx: TenantTx, range: AnalyticsRange): Promise<VisitorTotals[]> {
  const { rows } = await sql<VisitorTotals>`
    with visited as (
      select visitor_id, count(*)::integer as visits, sum(active_seconds)::integer as seconds
      from enablement.room_visits where ${isCounted(range)} group by visitor_id order by 3 desc, 1 limit 200),
    viewed as (
      select visitor_id, count(distinct room_item_id)::integer as items_viewed from enablement.content_views
      where ${isCountedView(range)} group by visitor_id)
    select visitor.id, visitor.email, visitor.name, visitor.email_verified_at, visitor.contact_id, visitor.is_internal,
      visitor.last_seen_at, visited.visits, visited.seconds, coalesce(viewed.items_viewed, 0) as items_viewed
    from visited join enablement.room_visitors as visitor on visitor.id = visited.visitor_id
    left join viewed on viewed.visitor_id = visited.visitor_id
    order by visited.seconds desc, visitor.id
  `.execute(tx)
  return rows
}

type ItemTotals = {
  item_id: string
  views: number
  unique_visitors: number
  seconds: number
  measured: number
  completed: number
  downloads: number
}

export async function listItemTotals(tx: TenantTx, range: AnalyticsRange) {
  const { rows } = await sql<ItemTotals>`
    select room_item_id as item_id, count(*)::integer as views, count(distinct visitor_id)::integer as unique_visitors,
      sum(active_seconds)::integer as seconds, (count(*) filter (where heartbeats > 0))::integer as measured,
      (count(*) filter (where completed))::integer as completed, count(downloaded_at)::integer as downloads
    from enablement.content_views
    where ${isCountedView(range)} and room_item_id is not null
    group by room_item_id
  `.execute(tx)
  return rows
}

export async function listLinkTotals(tx: TenantTx, range: AnalyticsRange) {
  const { rows } = await sql<{ link_id: string; visits: number; visitors: number }>`
    select link_id, count(*)::integer as visits, count(distinct visitor_id)::integer as visitors
    from enablement.room_visits where ${isCounted(range)} group by link_id
  `.execute(tx)
  return rows
}

export function listDailyStats(tx: TenantTx, { roomId, since }: AnalyticsRange) {
  return tx
    .selectFrom('enablement.room_daily_stats')
    .select(['day', 'external_visits', 'external_visitors', 'seconds', 'item_views', 'downloads'])
    .select(['internal_visits', 'internal_seconds', 'bot_visits'])
    .where('room_id', '=', roomId)
    .where('day', '>=', since.toISOString().slice(0, 10))
    .orderBy('day')
    .execute()
}

export type DailyTotals = {
  day: string
  visits: number
  visitors: number
  seconds: number
  item_views: number
  downloads: number
}

/** Counts visits and views themselves, because the daily statistics have no visitors, views and downloads of users. */
export async function listDailyTotals(tx: TenantTx, range: AnalyticsRange): Promise<DailyTotals[]> {
  const { rows } = await sql<DailyTotals>`
    with visits as (
      select (started_at at time zone 'UTC')::date as day, count(*) as visits, count(distinct visitor_id) as visitors,
        sum(active_seconds) as seconds
      from enablement.room_visits where ${isCounted(range)} group by 1),
    views as (
      select (started_at at time zone 'UTC')::date as day, count(*) as item_views, count(downloaded_at) as downloads
      from enablement.content_views where ${isCountedView(range)} group by 1)
    select day::text as day, coalesce(visits, 0)::integer as visits, coalesce(visitors, 0)::integer as visitors,
      coalesce(seconds, 0)::integer as seconds, coalesce(item_views, 0)::integer as item_views,
      coalesce(downloads, 0)::integer as downloads
    from visits full join views using (day) order by day
  `.execute(tx)
  return rows
}

export const listTenantsWithActiveRooms = (tx: SystemTx): Promise<string[]> =>
  listTenantsWithRows(tx, 'enablement.rooms', sql`status = 'active' and deleted_at is null`)

export function listActiveRooms(tx: TenantTx, after: string) {
  return tx
    .selectFrom('enablement.rooms')
    .select(['id', 'name', 'owner_id', 'settings', 'opportunity_id', 'activated_at', 'engagement_score'])
    .select(['last_external_visit_at', 'silent_alert_at'])
    .where('id', '>', after)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(500)
    .execute()
}

export async function markSilentAlert(tx: TenantTx, roomId: string, now: Date): Promise<void> {
  await tx.updateTable('enablement.rooms').set({ silent_alert_at: now }).where('id', '=', roomId).execute()
}
