import { type RawBuilder, sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

/** A view can be committed after a recount that began later than its transaction, so the last minutes are counted again. */
const overlap = sql`interval '2 minutes'`

export async function listTenantsToRecount(tx: SystemTx, since: Date): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from enablement.content_views where updated_at > ${since}::timestamptz - ${overlap}
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}

export const listTenantsWithViews = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'enablement.content_item_stats', sql`views_total > 0`))

/** Serializes the recounts of a tenant. Returns the instant from which on views are counted again. */
export async function lockFoldState(tx: TenantTx): Promise<Date> {
  await sql`insert into enablement.content_fold_states (folded_to) values ('epoch')
    on conflict on constraint content_fold_states_pkey do nothing`.execute(tx)
  const { since } = await tx
    .selectFrom('enablement.content_fold_states')
    .select(sql<Date>`folded_to - ${overlap}`.as('since'))
    .forUpdate()
    .executeTakeFirstOrThrow()
  return since
}

export async function updateFoldState(tx: TenantTx): Promise<void> {
  await tx.updateTable('enablement.content_fold_states').set({ folded_to: sql<Date>`now()` }).execute()
}

const isCounted = sql`not view.is_bot and view.is_counted and view.source <> 'public'`
const isMeasured = sql`${isCounted} and view.heartbeats > 0`

/** Recomputes the cells of all days with changed views, so that running it twice changes nothing. */
export async function recountDailyStats(tx: TenantTx, since: Date): Promise<void> {
  await sql`
    with changed as materialized (
      select distinct item_id, date_trunc('day', started_at, 'UTC') as day_start
      from enablement.content_views where updated_at > ${since}
    ), cells as materialized (
      select item_id, day_start, day_start + interval '24 hours' as day_end, audience
      from changed cross join unnest(array['internal', 'external']) as audience
    )
    insert into enablement.content_daily_stats
      (item_id, day, audience, views, measured, seconds, completions, downloads, public_downloads)
    select cells.item_id, (cells.day_start at time zone 'UTC')::date, cells.audience,
      count(*) filter (where ${isCounted}),
      count(*) filter (where ${isMeasured}),
      coalesce(sum(view.active_seconds) filter (where ${isMeasured}), 0),
      count(*) filter (where ${isMeasured} and view.completed),
      count(*) filter (where ${isCounted} and view.downloaded_at is not null),
      count(*) filter (where view.source = 'public' and not view.is_bot)
    from cells left join enablement.content_views view on view.item_id = cells.item_id
      and view.started_at >= cells.day_start and view.started_at < cells.day_end
      and view.is_internal = (cells.audience = 'internal')
    group by 1, 2, 3
    on conflict on constraint content_daily_stats_pkey do update set
      views = excluded.views, measured = excluded.measured, seconds = excluded.seconds, completions = excluded.completions,
      downloads = excluded.downloads, public_downloads = excluded.public_downloads
  `.execute(tx)
}

/** Recomputes the viewers with changed views: users by their index, room visitors by theirs. */
export async function recountViewers(tx: TenantTx, since: Date): Promise<void> {
  await recountViewersBy(tx, since, sql.ref('user_id'), sql`'user:'`)
  await recountViewersBy(tx, since, sql.ref('visitor_id'), sql`'visitor:'`)
}

async function recountViewersBy(tx: TenantTx, since: Date, viewer: RawBuilder<unknown>, prefix: RawBuilder<unknown>) {
  await sql`
    with changed as materialized (
      select distinct item_id, ${viewer} as viewer_id from enablement.content_views
      where updated_at > ${since} and ${viewer} is not null
    )
    insert into enablement.content_viewers (item_id, viewer_key, is_internal, first_at, last_at, views, seconds)
    select view.item_id, ${prefix} || view.${viewer}, bool_or(view.is_internal), min(view.started_at), max(view.started_at),
      count(*), sum(view.active_seconds)
    from changed join enablement.content_views view on view.${viewer} = changed.viewer_id and view.item_id = changed.item_id
    where ${isCounted}
    group by view.item_id, view.${viewer}
    on conflict on constraint content_viewers_pkey do update set
      is_internal = excluded.is_internal, first_at = least(content_viewers.first_at, excluded.first_at),
      last_at = excluded.last_at, views = excluded.views, seconds = excluded.seconds
  `.execute(tx)
}

const heatHalfLifeDays = sql.lit(30)

/** Recomputes the statistics of items: those with changed views, or all of them, because heat falls every day. */
export async function recountItemStats(
  tx: TenantTx,
  { since, today }: { since: Date | null; today: string },
): Promise<void> {
  const items = since
    ? sql`select distinct item_id from enablement.content_views where updated_at > ${since}`
    : sql`select item_id from enablement.content_item_stats where views_total > 0`
  const age = sql`(${today}::date - day.day)`
  await sql`
    with items as materialized (${items}),
    days as (
      select items.item_id,
        coalesce(sum(day.views) filter (where ${age} < 28), 0) as views_28d,
        coalesce(sum(day.views) filter (where ${age} between 28 and 55), 0) as views_prev_28d,
        coalesce(sum(day.views), 0) as views_total,
        coalesce(sum(day.views * power(0.5::double precision, ${age} / ${heatHalfLifeDays}::double precision))
          filter (where ${age} < 365), 0) as heat
      from items left join enablement.content_daily_stats day on day.item_id = items.item_id
      group by items.item_id
    ), viewers as (
      select items.item_id, count(viewer.item_id) as unique_viewers,
        count(*) filter (where not viewer.is_internal) as unique_external, max(viewer.last_at) as last_viewed_at
      from items left join enablement.content_viewers viewer on viewer.item_id = items.item_id
      group by items.item_id
    )
    insert into enablement.content_item_stats
      (item_id, views_28d, views_prev_28d, views_total, heat, unique_viewers, unique_external, last_viewed_at)
    select item_id, views_28d, views_prev_28d, views_total, heat, unique_viewers, unique_external, last_viewed_at
    from days join viewers using (item_id)
    on conflict on constraint content_item_stats_pkey do update set
      views_28d = excluded.views_28d, views_prev_28d = excluded.views_prev_28d, views_total = excluded.views_total,
      heat = excluded.heat, unique_viewers = excluded.unique_viewers, unique_external = excluded.unique_external,
      last_viewed_at = excluded.last_viewed_at
  `.execute(tx)
}
