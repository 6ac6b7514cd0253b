import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

type BuyerView = {
  id: string
  item_id: string
  opportunity_id: string
  visitor_id: string
  visit_id: string
  started_at: Date
  /** Null if the content has no pages. */
  max_page: number | null
}

const secondsPerView = 90

/** Inserts a visitor, a visit of the default link and a view for each, which are deleted with the room and the content. */
export async function insertBuyerViews(tx: TenantTx, roomId: string, views: readonly BuyerView[]): Promise<void> {
  if (!views.length) return
  const { rows } = selectRows(views, {
    id: 'uuid',
    item_id: 'uuid',
    opportunity_id: 'uuid',
    visitor_id: 'uuid',
    visit_id: 'uuid',
    started_at: 'timestamptz',
    max_page: 'integer',
  })
  await sql`
    with planned as (${rows}),
    link as (select id from enablement.room_links where room_id = ${roomId}::uuid and is_default),
    visitors as (
      insert into enablement.room_visitors (id, room_id, first_seen_at, last_seen_at)
      select visitor_id, ${roomId}::uuid, started_at, started_at from planned
    ), visits as (
      insert into enablement.room_visits
        (id, room_id, link_id, visitor_id, started_at, last_event_at, ended_at, counted_at, reported_seconds, active_seconds, heartbeats, device)
      select visit_id, ${roomId}::uuid, link.id, visitor_id, started_at, started_at, started_at, started_at,
        ${secondsPerView}, ${secondsPerView}, 6, 'desktop'
      from planned cross join link
    )
    insert into enablement.content_views
      (id, item_id, room_item_id, opportunity_id, visitor_id, visit_id, room_id, source, started_at, last_event_at,
       reported_seconds, active_seconds, heartbeats, is_internal, progress, has_progress, max_page, completed)
    select planned.id, planned.item_id, placed.id, opportunity_id, visitor_id, visit_id, ${roomId}::uuid, 'room', started_at, started_at,
      ${secondsPerView}, ${secondsPerView}, 6, false, (max_page is not null)::integer, max_page is not null, max_page, true
    from planned left join enablement.room_items placed
      on placed.room_id = ${roomId}::uuid and placed.content_item_id = planned.item_id
  `.execute(tx)
}
