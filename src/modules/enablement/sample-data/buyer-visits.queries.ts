import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

type VisitorRow = {
  id: string
  room_id: string
  email: string | null
  email_verified_at: Date | null
  name: string | null
  contact_id: string | null
  first_seen_at: Date
  last_seen_at: Date
}

export async function insertSampleVisitors(tx: TenantTx, visitors: readonly VisitorRow[]): Promise<void> {
  const { columns, rows } = selectRows(visitors, {
    id: 'uuid',
    room_id: 'uuid',
    email: 'text',
    email_verified_at: 'timestamptz',
    name: 'text',
    contact_id: 'uuid',
    first_seen_at: 'timestamptz',
    last_seen_at: 'timestamptz',
  })
  await tx.insertInto('enablement.room_visitors').columns(columns).expression(rows).execute()
}

type VisitRow = {
  id: string
  room_id: string
  link_id: string
  visitor_id: string
  holder_id: string
  identity: string
  device: string
  started_at: Date
  ended_at: Date
  active_seconds: number
}

const heartbeatSeconds = 15

/** A visit counts from its first heartbeat on and has ended. */
export async function insertSampleVisits(tx: TenantTx, visits: readonly VisitRow[]): Promise<void> {
  const { rows } = selectRows(visits, {
    id: 'uuid',
    room_id: 'uuid',
    link_id: 'uuid',
    visitor_id: 'uuid',
    holder_id: 'uuid',
    identity: 'text',
    device: 'text',
    started_at: 'timestamptz',
    ended_at: 'timestamptz',
    active_seconds: 'integer',
  })
  await sql`
    insert into enablement.room_visits (id, room_id, link_id, visitor_id, holder_id, identity, device, started_at, ended_at,
      last_event_at, last_heartbeat_at, counted_at, reported_seconds, active_seconds, heartbeats)
    select id, room_id, link_id, visitor_id, holder_id, identity, device, started_at, ended_at, ended_at, ended_at,
      least(started_at + make_interval(secs => ${heartbeatSeconds}), ended_at), active_seconds, active_seconds,
      active_seconds / ${heartbeatSeconds}::integer + 1
    from (${rows}) as visit
  `.execute(tx)
}

type ViewRow = {
  id: string
  item_id: string
  version_no: number | null
  visitor_id: string
  visit_id: string
  started_at: Date
  last_event_at: Date
  active_seconds: number
  progress: number
  has_progress: boolean
  max_page: number | null
  page_seconds: Record<string, number> | null
  completed: boolean
  downloaded_at: Date | null
}

/** Views of the items of a room, by the content that the items show. */
export async function insertRoomViews(tx: TenantTx, roomId: string, views: readonly ViewRow[]): Promise<void> {
  const { rows } = selectRows(views, {
    id: 'uuid',
    item_id: 'uuid',
    version_no: 'integer',
    visitor_id: 'uuid',
    visit_id: 'uuid',
    started_at: 'timestamptz',
    last_event_at: 'timestamptz',
    active_seconds: 'integer',
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
    select view.id, view.item_id, view.version_no, view.visitor_id, view.visit_id, room.id, placed.id, room.account_id,
      room.opportunity_id, 'room', false, view.started_at, view.last_event_at, view.last_event_at, view.active_seconds,
      view.active_seconds, view.active_seconds / ${heartbeatSeconds}::integer + 1, view.progress, view.has_progress,
      view.max_page, view.page_seconds, view.completed, view.downloaded_at
    from (${rows}) as view
    cross join (select id, account_id, opportunity_id from enablement.rooms where id = ${roomId}::uuid) as room
    join enablement.room_items placed on placed.room_id = room.id and placed.content_item_id = view.item_id
  `.execute(tx)
}
