import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { VisitRow } from './visits.queries.ts'

export type ItemProgress = { progress: number; page: number | null; pages: number[]; seen_at: Date }

const maxViews = 1_000

/**
 * Reads what the visitor of a visit read before, by item of the room. An email address that was only entered does not say who
 * the visitor is, so such a visit shows what was read in the same browser.
 */
export async function listItemProgress(
  tx: TenantTx,
  { visitor_id, identity, holder_id }: VisitRow,
): Promise<Map<string, ItemProgress>> {
  const isOwn = identity === 'verified' ? sql<SqlBool>`true` : sql<SqlBool>`visit.holder_id = ${holder_id}::uuid`
  const { rows } = await sql<ItemProgress & { item_id: string }>`
    with views as materialized (
      select view.room_item_id, view.progress, view.max_page, view.last_event_at, view.page_seconds
      from enablement.content_views view join enablement.room_visits visit on visit.id = view.visit_id
      where view.visitor_id = ${visitor_id} and view.room_item_id is not null and ${isOwn}
      order by view.last_event_at desc limit ${sql.lit(maxViews)}
    )
    select room_item_id as item_id, max(progress)::double precision as progress, max(max_page) as page,
      max(last_event_at) as seen_at,
      array(select distinct key::integer from views own cross join jsonb_object_keys(own.page_seconds) as key
        where own.room_item_id = views.room_item_id order by 1) as pages
    from views group by room_item_id
  `.execute(tx)
  return new Map(rows.map(({ item_id, ...seen }) => [item_id, seen]))
}
