import { sql } from 'kysely'
import { maxRanked, searchRank, type TenantTx, toSearchWords } from '#platform/db'

const maxWords = 5

type FoundRoom = { id: string; name: string; account_id: string | null }

/** Archived rooms are not found, as in the list of rooms. */
export async function listRoomsByText(tx: TenantTx, search: string, limit: number): Promise<FoundRoom[]> {
  const words = toSearchWords(search).slice(0, maxWords)
  if (!words.length) return []
  const ranked = sql<FoundRoom>`(
    select room.id, room.name, room.account_id from enablement.rooms as room
    where room.id = any (array(select enablement.search_rooms(${words}::text[], ${sql.lit(maxRanked)})))
      and room.deleted_at is null and room.status <> 'archived'
    order by ${searchRank(sql`room.search_text`, search)}, room.updated_at desc, room.id
    limit ${limit})`
  return await tx.selectFrom(ranked.as('found')).select(['id', 'name', 'account_id']).execute()
}
