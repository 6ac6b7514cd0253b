import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#platform/db'

export async function listTenantsToRecount(tx: SystemTx, since: Date): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from enablement.room_visits where updated_at >= ${since}
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}

export async function readFoldPosition(tx: TenantTx): Promise<{ since: Date; until: Date }> {
  const { rows } = await sql<{ since: Date; until: Date }>`
    select coalesce((select folded_until from enablement.room_fold_positions), 'epoch'::timestamptz) as since, now() as until
  `.execute(tx)
  return rows[0]!
}

export async function storeFoldPosition(tx: TenantTx, until: Date): Promise<void> {
  await tx
    .insertInto('enablement.room_fold_positions')
    .values({ folded_until: until })
    .onConflict((conflict) => conflict.constraint('room_fold_positions_pkey').doUpdateSet({ folded_until: until }))
    .execute()
}

export async function listChangedRooms(tx: TenantTx, since: Date) {
  const { rows } = await sql<{ room_id: string; first_at: Date }>`
    select room_id, min(started_at) as first_at from enablement.room_visits where updated_at >= ${since}
    group by room_id order by room_id
  `.execute(tx)
  return rows
}

/** Counts the days from `firstAt` on again, so running it twice changes nothing. Returns the number of changed days. */
export async function recountDailyStats(tx: TenantTx, roomId: string, firstAt: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with from_day as (select date_trunc('day', ${firstAt}::timestamptz at time zone 'UTC') at time zone 'UTC' as at),
    visits as (
      select (started_at at time zone 'UTC')::date as day,
        count(*) filter (where counted and not is_internal) as external_visits,
        count(distinct visitor_id) filter (where counted and not is_internal) as external_visitors,
        coalesce(sum(active_seconds) filter (where counted and not is_internal), 0) as seconds,
        count(*) filter (where counted and is_internal) as internal_visits,
        coalesce(sum(active_seconds) filter (where counted and is_internal), 0) as internal_seconds,
        count(*) filter (where is_bot) as bot_visits
      from (select started_at, visitor_id, active_seconds, is_internal, is_bot, counted_at is not null and not is_bot as counted
        from enablement.room_visits where room_id = ${roomId} and started_at >= (select at from from_day)) as visit
      group by 1),
    views as (
      select (started_at at time zone 'UTC')::date as day, count(*) as item_views, count(downloaded_at) as downloads
      from enablement.content_views
      where room_id = ${roomId} and started_at >= (select at from from_day) and is_counted and not is_internal and not is_bot
      group by 1)
    insert into enablement.room_daily_stats as stats (room_id, day, external_visits, external_visitors, seconds, item_views,
      downloads, internal_visits, internal_seconds, bot_visits)
    select ${roomId}::uuid, visits.day, external_visits, external_visitors, seconds, coalesce(item_views, 0),
      coalesce(downloads, 0), internal_visits, internal_seconds, bot_visits
    from visits left join views using (day)
    on conflict on constraint room_daily_stats_pkey do update set external_visits = excluded.external_visits,
      external_visitors = excluded.external_visitors, seconds = excluded.seconds, item_views = excluded.item_views,
      downloads = excluded.downloads, internal_visits = excluded.internal_visits,
      internal_seconds = excluded.internal_seconds, bot_visits = excluded.bot_visits
    where (stats.external_visits, stats.external_visitors, stats.seconds, stats.item_views, stats.downloads,
        stats.internal_visits, stats.internal_seconds, stats.bot_visits)
      is distinct from (excluded.external_visits, excluded.external_visitors, excluded.seconds, excluded.item_views,
        excluded.downloads, excluded.internal_visits, excluded.internal_seconds, excluded.bot_visits)
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Deletes days without a visit, which the recount does not count again. Returns their number. */
export async function deleteDaysWithoutVisits(tx: TenantTx, roomId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from enablement.room_daily_stats where room_id = ${roomId} and day <> all (array(
      select (started_at at time zone 'UTC')::date from enablement.room_visits where room_id = ${roomId}))
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function recountLinkCounts(tx: TenantTx, roomId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update enablement.room_links as link set visit_count = used.visits, last_used_at = used.at
    from (select counted.id, count(visit.id) as visits, max(visit.started_at) as at
      from enablement.room_links as counted left join enablement.room_visits as visit on visit.link_id = counted.id
        and visit.counted_at is not null and not visit.is_internal and not visit.is_bot
      where counted.room_id = ${roomId} group by counted.id) as used
    where link.id = used.id and (link.visit_count, link.last_used_at) is distinct from (used.visits, used.at)
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function recountItemCounts(tx: TenantTx, roomId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with viewed as (
      select room_item_id, count(*) as views, max(last_event_at) as at from enablement.content_views
      where room_id = ${roomId} and is_counted and not is_internal and not is_bot group by room_item_id)
    update enablement.room_items as item set views = counted.views, last_viewed_at = counted.at
    from (select placed.id, coalesce(viewed.views, 0) as views, viewed.at
      from enablement.room_items as placed left join viewed on viewed.room_item_id = placed.id
      where placed.room_id = ${roomId}) as counted
    where item.id = counted.id and (item.views, item.last_viewed_at) is distinct from (counted.views, counted.at)
  `.execute(tx)
  return Number(numAffectedRows)
}
