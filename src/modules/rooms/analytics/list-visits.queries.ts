import { type Selectable, type SqlBool, sql } from 'kysely'
import type { PageSeconds } from '#modules/library'
import { type Database, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import type { RoomVisitQuery } from './list-visits.schemas.ts'

const columns = [
  'id',
  'link_id',
  'visitor_id',
  'started_at',
  'last_event_at',
  'active_seconds',
  'device',
  'referrer_host',
  'is_internal',
  'identity',
] as const
type ListedVisit = Pick<Selectable<Database['enablement.room_visits']>, (typeof columns)[number]>

const orders: SortOrders = { started_at: { by: { started_at: 'timestamp' } } }

export function listCountedVisits(
  tx: TenantTx,
  roomId: string,
  { limit, offset, cursor, count, sort = '-started_at', include_internal = false }: RoomVisitQuery,
): Promise<Page<ListedVisit>> {
  const conditions = [
    sql<SqlBool>`enablement.room_visits.room_id = ${roomId}::uuid`,
    sql<SqlBool>`enablement.room_visits.counted_at is not null and not enablement.room_visits.is_bot`,
    ...(include_internal ? [] : [sql<SqlBool>`not enablement.room_visits.is_internal`]),
  ]
  const plan = {
    table: 'enablement.room_visits',
    columns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions }],
    filters: { roomId, include_internal },
  }
  return readPage<ListedVisit>(tx, plan, { limit, offset, cursor, count })
}

export function listVisitorsByIds(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('enablement.room_visitors')
    .select(['id', 'name', 'email', 'email_verified_at', 'contact_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function listViewsOfVisits(tx: TenantTx, visitIds: readonly string[]) {
  const { rows } = await sql<{
    visit_id: string
    item_id: string
    started_at: Date
    seconds: number
    progress: number
    max_page: number | null
    page_seconds: PageSeconds | null
    completed: boolean
    downloaded_at: Date | null
  }>`
    select view.visit_id, view.room_item_id as item_id, view.started_at, view.active_seconds as seconds,
      view.progress::double precision as progress, view.max_page, view.page_seconds, view.completed,
      view.downloaded_at
    from unnest(${visitIds}::uuid[]) as visit (id)
    cross join lateral (select visit_id, room_item_id, started_at, active_seconds, progress, max_page, page_seconds,
        completed, downloaded_at
      from enablement.content_views where visit_id = visit.id and room_item_id is not null
      order by started_at, id limit 200) as view
  `.execute(tx)
  return rows
}
