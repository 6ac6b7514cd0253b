import { sql } from 'kysely'
import { type ComparedPeriod, isAnyOf, isInPeriod, type TenantTx } from '#platform/db'
import { durationOfView } from '../views/views.queries.ts'
import { maxPlaybackRate } from '../views/views.rules.ts'

export type RequiredItemRow = {
  id: string
  title: string
  audience_team_ids: string[] | null
  version_no: number | null
}

export async function listRequiredItems(tx: TenantTx): Promise<RequiredItemRow[]> {
  const { rows } = await sql<RequiredItemRow>`
    select item.id, item.title, item.audience_team_ids, version.version_no
    from enablement.content_items item left join enablement.content_versions version on version.id = item.current_version_id
    where item.status = 'published' and item.deleted_at is null and item.is_required_reading
    order by item.id
  `.execute(tx)
  return rows
}

/** Users who have completed the current version of the items. */
export async function listReadItems(
  tx: TenantTx,
  userIds: readonly string[],
  items: readonly RequiredItemRow[],
): Promise<{ user_id: string; item_id: string }[]> {
  if (!items.length) return []
  const { rows } = await sql<{ user_id: string; item_id: string }>`
    select distinct view.user_id, view.item_id
    from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ version_no }) => version_no)}::integer[]) as item (id, version_no)
      join enablement.content_views view on view.item_id = item.id
    where ${isAnyOf('view.user_id', userIds)} and view.completed and view.version_no is not distinct from item.version_no
  `.execute(tx)
  return rows
}

export type ItemFacts = { id: string; stages: string[]; industries: string[]; next_review_at: Date | null }

export async function listPublishedItems(tx: TenantTx): Promise<ItemFacts[]> {
  return await tx
    .selectFrom('enablement.content_items')
    .select(['id', 'stages', 'industries', 'next_review_at'])
    .where('status', '=', 'published')
    .where('deleted_at', 'is', null)
    .execute()
}

export async function findContentTitle(tx: TenantTx, contentItemId: string): Promise<string | undefined> {
  const item = await tx
    .selectFrom('enablement.content_items')
    .select('title')
    .where('id', '=', contentItemId)
    .executeTakeFirst()
  return item?.title
}

export async function listSearchMisses(
  tx: TenantTx,
  { minCount, since, limit }: { minCount: number; since: Date; limit: number },
): Promise<{ query: string; count: number; last_at: Date }[]> {
  return await tx
    .selectFrom('enablement.content_search_misses')
    .select(['query_norm as query', 'count', 'last_at'])
    .where('count', '>=', minCount)
    .where('last_at', '>=', since)
    .orderBy('count', 'desc')
    .orderBy('query_norm')
    .limit(limit)
    .execute()
}

type UserCount = { user_id: string; count: number }

export async function countViewedItems(
  tx: TenantTx,
  userIds: readonly string[],
  { since, minSeconds }: { since: Date; minSeconds: number },
): Promise<UserCount[]> {
  const { rows } = await sql<UserCount>`
    select view.user_id, count(distinct view.item_id)::integer as count
    from enablement.content_views view join enablement.content_items item on item.id = view.item_id
    where ${isAnyOf('view.user_id', userIds)} and view.last_event_at >= ${since} and view.started_at >= ${since}
      and view.active_seconds >= ${minSeconds} and item.status = 'published' and item.deleted_at is null
    group by view.user_id
  `.execute(tx)
  return rows
}

export async function countLibraryViews(tx: TenantTx, period: ComparedPeriod): Promise<UserCount[]> {
  const { rows } = await sql<UserCount>`
    select user_id, count(*)::integer as count from enablement.content_views
    where ${isInPeriod('started_at', period)} and user_id is not null group by user_id
  `.execute(tx)
  return rows
}

/** Users with a view of content that changed since then. */
export async function listReaderIds(tx: TenantTx, since: Date): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from enablement.content_views where updated_at > ${since} and user_id is not null
  `.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** When a view of each user changed last, for users whose views changed since then. */
export async function listLastViews(
  tx: TenantTx,
  userIds: readonly string[] | null,
  since: Date,
): Promise<{ user_id: string; viewed_at: Date }[]> {
  const { rows } = await sql<{ user_id: string; viewed_at: Date }>`
    select user_id, max(updated_at) as viewed_at from enablement.content_views
    where updated_at > ${since} and user_id is not null and ${isAnyOf('user_id', userIds)}
    group by user_id
  `.execute(tx)
  return rows
}

export async function listDealIdsWithViewsSince(
  tx: TenantTx,
  since: Date,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ opportunity_id: string }>`
    select distinct opportunity_id from enablement.content_views
    where updated_at > ${since} and opportunity_id > ${after}
    order by opportunity_id limit ${limit}
  `.execute(tx)
  return rows.map(({ opportunity_id }) => opportunity_id)
}

export type ContentTime = { item_id: string; seconds: number; progress: number }

/**
 * Time that a user spent on content items in the library since an instant, as the heartbeats of views tell. Media may be played in
 * several views: their played parts add up for each version. The limit of `limitProgress` is applied again, because media can be
 * measured after a view began.
 */
export async function listContentTimes(
  tx: TenantTx,
  userId: string,
  itemIds: readonly string[],
  since: Date,
): Promise<ContentTime[]> {
  if (!itemIds.length) return []
  const { rows } = await sql<ContentTime>`
    with views as (
      select item_id, version_no, active_seconds, progress, ${durationOfView}::numeric as duration
      from enablement.content_views
      where user_id = ${userId}::uuid and item_id = any (${itemIds}::uuid[]) and source = 'library' and started_at >= ${since}
    ), versions as (
      select item_id, sum(active_seconds) as seconds, case when max(duration) is null then max(progress)
        else sum(least(progress, active_seconds * ${sql.lit(maxPlaybackRate)} / duration)) end as progress
      from views group by item_id, version_no
    )
    select item_id, sum(seconds)::int as seconds, least(max(progress), 1)::float8 as progress from versions group by item_id
  `.execute(tx)
  return rows
}

export async function hasPublishedItems(tx: TenantTx): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from enablement.content_items where status = 'published' and deleted_at is null)
  `.execute(tx)
  return rows[0]!.exists
}

export async function filterPublishedItemIds(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from enablement.content_items where id = any (${ids}::uuid[]) and status = 'published' and deleted_at is null
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
