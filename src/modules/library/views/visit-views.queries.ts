import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { PageSeconds } from './page-seconds.rules.ts'
import { durationOfView } from './views.queries.ts'

type OpenRoomView = { visitId: string; roomItemId: string; itemId: string; versionNo: number | null; after: Date }

export async function findOpenRoomView(tx: TenantTx, { visitId, roomItemId, itemId, versionNo, after }: OpenRoomView) {
  return await tx
    .selectFrom('enablement.content_views')
    .select(['id', 'downloaded_at', 'reported_seconds'])
    .where('visit_id', '=', visitId)
    .where('room_item_id', '=', roomItemId)
    .where('item_id', '=', itemId)
    .where('version_no', 'is not distinct from', versionNo)
    .where('last_event_at', '>', after)
    .orderBy('last_event_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns false if the item was downloaded before in this view. */
export async function markRoomViewDownloaded(tx: TenantTx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('enablement.content_views')
    .set({ downloaded_at: now, last_event_at: now })
    .where('id', '=', id)
    .where('downloaded_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function lockVisitViews(tx: TenantTx, visitId: string, ids: readonly string[]) {
  const views = await tx
    .selectFrom('enablement.content_views')
    .select([
      'id',
      'started_at',
      'last_event_at',
      'last_heartbeat_at',
      'reported_seconds',
      'active_seconds',
      'progress',
      'max_page',
      'page_seconds',
      'completed',
      'has_progress',
      durationOfView.as('duration_seconds'),
    ])
    .where('visit_id', '=', visitId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return views.map((view) => ({
    ...view,
    progress: Number(view.progress),
    page_seconds: view.page_seconds as PageSeconds | null,
  }))
}

type ViewChange = {
  id: string
  reported_seconds: number
  active_seconds: number
  progress: number
  max_page: number | null
  page_seconds: PageSeconds | null
  completed: boolean
}

export async function updateViewRows(tx: TenantTx, changes: readonly ViewChange[], now: Date): Promise<void> {
  await sql`
    update enablement.content_views as view
    set reported_seconds = changed.reported_seconds, active_seconds = changed.active_seconds, progress = changed.progress,
      max_page = changed.max_page, page_seconds = changed.page_seconds, completed = changed.completed, heartbeats = view.heartbeats + 1,
      last_event_at = ${now}, last_heartbeat_at = ${now}
    from json_to_recordset(${JSON.stringify(changes)}::json) as changed
      (id uuid, reported_seconds integer, active_seconds integer, progress numeric, max_page integer, page_seconds jsonb,
      completed boolean)
    where view.id = changed.id
  `.execute(tx)
}

/** Returns the views that count from now on, in the order in which they were opened. */
export async function countVisitViews(tx: TenantTx, visitId: string) {
  const views = await tx
    .updateTable('enablement.content_views')
    .set({ is_counted: true })
    .where(
      'id',
      '=',
      sql<string>`any(array(select id from enablement.content_views where visit_id = ${visitId} and not is_counted
        order by id for no key update))`,
    )
    .returning(['id', 'room_item_id', 'downloaded_at'])
    .execute()
  return views.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

type VisitViewRow = {
  id: string
  item_id: string
  version_no: number | null
  visitor_id: string
  visit_id: string
  room_id: string
  room_item_id: string | null
  account_id: string | null
  opportunity_id: string | null
  started_at: Date
  last_event_at: Date
  active_seconds: number
  heartbeats: number
  progress: number
  has_progress: boolean
  max_page: number | null
  page_seconds: PageSeconds | null
  completed: boolean
  downloaded_at: Date | null
}

export async function insertVisitViews(tx: TenantTx, views: readonly VisitViewRow[]): Promise<void> {
  const { rows } = selectRows(views, {
    id: 'uuid',
    item_id: 'uuid',
    version_no: 'integer',
    visitor_id: 'uuid',
    visit_id: 'uuid',
    room_id: 'uuid',
    room_item_id: 'uuid',
    account_id: 'uuid',
    opportunity_id: 'uuid',
    started_at: 'timestamptz',
    last_event_at: 'timestamptz',
    active_seconds: 'integer',
    heartbeats: 'integer',
    progress: 'numeric',
    has_progress: 'boolean',
    max_page: 'integer',
    page_seconds: 'jsonb',
    completed: 'boolean',
    downloaded_at: 'timestamptz',
  })
  await sql`
    insert into enablement.content_views (id, item_id, version_no, visitor_id, visit_id, room_id, room_item_id, account_id,
      opportunity_id, source, is_internal, started_at, last_event_at, last_heartbeat_at, reported_seconds, active_seconds,
      heartbeats, progress, has_progress, max_page, page_seconds, completed, downloaded_at)
    select id, item_id, version_no, visitor_id, visit_id, room_id, room_item_id, account_id, opportunity_id, 'room', false,
      started_at, last_event_at, last_event_at, active_seconds, active_seconds, heartbeats, progress, has_progress, max_page,
      page_seconds, completed, downloaded_at
    from (${rows}) as view
  `.execute(tx)
}

export async function deleteViews(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from enablement.content_views where id in (
      select id from enablement.content_views where id = any (${ids}::uuid[]) order by id for update)
  `.execute(tx)
  return Number(numAffectedRows)
}

type VisitOfView = { id: string; room_id: string; visitor_id: string }

export async function updateVisitsOfViews(tx: TenantTx, views: readonly VisitOfView[]): Promise<number> {
  if (!views.length) return 0
  const { rows } = selectRows(views, { id: 'uuid', room_id: 'uuid', visitor_id: 'uuid' })
  const { numAffectedRows = 0n } = await sql`
    update enablement.content_views view set room_id = visit.room_id, visitor_id = visit.visitor_id
    from (${rows}) as visit where view.id = visit.id
  `.execute(tx)
  return Number(numAffectedRows)
}
