import { sql } from 'kysely'
import { type ComparedPeriod, isAnyOf, isInPeriod, type TenantTx } from '#platform/db'

export async function countActiveRooms(tx: TenantTx, ownerId: string): Promise<number> {
  const { rooms } = await tx
    .selectFrom('enablement.rooms')
    .select(sql<number>`count(*)::integer`.as('rooms'))
    .where('owner_id', '=', ownerId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return rooms
}

type UserCount = { user_id: string; count: number }

export async function countShares(tx: TenantTx, userIds: readonly string[], since: Date): Promise<UserCount[]> {
  const { rows } = await sql<UserCount>`
    select added_by as user_id, count(*)::integer as count from enablement.room_items
    where ${isAnyOf('added_by', userIds)} and created_at >= ${since} and content_item_id is not null
    group by added_by
  `.execute(tx)
  return rows
}

export async function countPlacements(tx: TenantTx, period: ComparedPeriod): Promise<UserCount[]> {
  const { rows } = await sql<UserCount>`
    select added_by as user_id, count(*)::integer as count from enablement.room_items
    where ${isInPeriod('created_at', period)} and content_item_id is not null and added_by is not null group by added_by
  `.execute(tx)
  return rows
}

export type RoomFacts = {
  id: string
  owner_id: string | null
  created_at: Date
  engagement_band: string | null
  status: string
  visits: number
  seconds: number
}

export async function listRoomFacts(tx: TenantTx, { from, to }: ComparedPeriod): Promise<RoomFacts[]> {
  const { rows } = await sql<RoomFacts>`
    with visited as materialized (
      select room_id, count(*)::integer as visits, sum(active_seconds)::integer as seconds
      from enablement.room_visits
      where updated_at >= ${from} and started_at >= ${from} and started_at <= ${to}
        and counted_at is not null and not is_internal and not is_bot
      group by room_id)
    select room.id, room.owner_id, room.created_at, room.engagement_band, room.status,
      coalesce(visited.visits, 0) as visits, coalesce(visited.seconds, 0) as seconds
    from enablement.rooms room left join visited on visited.room_id = room.id where room.deleted_at is null
  `.execute(tx)
  return rows
}
