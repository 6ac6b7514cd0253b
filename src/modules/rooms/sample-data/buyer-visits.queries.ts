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

export const heartbeatSeconds = 15

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

type BuyerVisit = { visitor_id: string; visit_id: string; started_at: Date; active_seconds: number; heartbeats: number }

/** Inserts a visitor and a visit of the default link for each. */
export async function insertBuyerVisits(tx: TenantTx, roomId: string, visits: readonly BuyerVisit[]): Promise<void> {
  const { rows } = selectRows(visits, {
    visitor_id: 'uuid',
    visit_id: 'uuid',
    started_at: 'timestamptz',
    active_seconds: 'integer',
    heartbeats: 'integer',
  })
  await sql`
    with planned as (${rows}),
    link as (select id from enablement.room_links where room_id = ${roomId}::uuid and is_default),
    visitors as (
      insert into enablement.room_visitors (id, room_id, first_seen_at, last_seen_at)
      select visitor_id, ${roomId}::uuid, started_at, started_at from planned
    )
    insert into enablement.room_visits
      (id, room_id, link_id, visitor_id, started_at, last_event_at, ended_at, counted_at, reported_seconds, active_seconds, heartbeats, device)
    select visit_id, ${roomId}::uuid, link.id, visitor_id, started_at, started_at, started_at, started_at,
      active_seconds, active_seconds, heartbeats, 'desktop'
    from planned cross join link
  `.execute(tx)
}
