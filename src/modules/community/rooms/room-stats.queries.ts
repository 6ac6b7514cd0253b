import { sql } from 'kysely'
import { countLimit, type TenantTx } from '#platform/db'

export type RoomStats = { room_id: string; thread_count: number; last_activity_at: Date | null }

/** Reads the newest activity of pinned and of other threads, because the index sorts by `is_pinned` first. */
export async function listRoomStats(tx: TenantTx, roomIds: readonly string[]): Promise<RoomStats[]> {
  const newest = (isPinned: boolean) => sql`(select last_activity_at from community.threads
    where room_id = room.id and is_pinned = ${sql.lit(isPinned)} and hidden_at is null and deleted_at is null
    order by last_activity_at desc limit 1)`
  const { rows } = await sql<RoomStats>`
    select room.id as room_id, greatest(${newest(true)}, ${newest(false)}) as last_activity_at,
      (select count(*) from (select 1 from community.threads
        where room_id = room.id and hidden_at is null and deleted_at is null limit ${sql.lit(countLimit)}) counted)::integer as thread_count
    from unnest(${roomIds}::uuid[]) as room (id)
  `.execute(tx)
  return rows
}
