import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Rooms whose visits are read, those that were changed last. */
const maxRooms = 200

const columns = [
  'room_id',
  'room_name',
  'band',
  'name',
  'email',
  'email_verified_at',
  'identity',
  'item_id',
  'seconds',
  'at',
] as const

type LatestVisit = {
  room_id: string
  room_name: string
  band: string
  name: string | null
  email: string | null
  email_verified_at: Date | null
  identity: string | null
  item_id: string | null
  seconds: number
  at: Date
}

/** Visits that count, from outside, to the rooms of the owner; with the item that was read longest. */
export async function listLatestVisits(tx: TenantTx, ownerId: string, limit: number): Promise<LatestVisit[]> {
  const visits = sql<LatestVisit>`(
    select room.id as room_id, room.name as room_name, room.engagement_band as band, visitor.name, visitor.email,
      visitor.email_verified_at, visit.identity, longest.item_id, visit.active_seconds as seconds, visit.last_event_at as at
    from (
      select room.id, room.name, room.engagement_band, visit.id as visit_id
      from (
        select id, name, engagement_band from enablement.rooms
        where owner_id = ${ownerId}::uuid and deleted_at is null and status <> 'archived'
        order by updated_at desc, id desc limit ${sql.lit(maxRooms)}
      ) as room
      cross join lateral (
        select id, last_event_at from enablement.room_visits
        where room_id = room.id and counted_at is not null and not is_bot and not is_internal
        order by started_at desc, id desc limit ${sql.lit(limit)}
      ) as visit
      order by visit.last_event_at desc, visit.id desc limit ${sql.lit(limit)}
    ) as room
    join enablement.room_visits as visit on visit.id = room.visit_id
    join enablement.room_visitors as visitor on visitor.id = visit.visitor_id
    left join lateral (
      select room_item_id as item_id from enablement.content_views
      where visit_id = visit.id and room_item_id is not null order by active_seconds desc, id limit 1
    ) as longest on true
    order by visit.last_event_at desc, visit.id desc)`
  return await tx.selectFrom(visits.as('visit')).select(columns).execute()
}
