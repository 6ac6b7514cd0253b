import { sql } from 'kysely'
import type { ComparedPeriod, TenantTx } from '#platform/db'

export async function countUsedItems(
  tx: TenantTx,
  { from }: ComparedPeriod,
): Promise<{ published: number; used: number }> {
  const { rows } = await sql<{ published: number; used: number }>`
    with placed as materialized (
      select distinct content_item_id from enablement.room_items where created_at >= ${from} and content_item_id is not null)
    select count(*)::integer as published,
      count(*) filter (where stats.last_viewed_at >= ${from} or placed.content_item_id is not null)::integer as used
    from enablement.content_items item
      left join enablement.content_item_stats stats on stats.item_id = item.id
      left join placed on placed.content_item_id = item.id
    where item.status = 'published' and item.deleted_at is null
  `.execute(tx)
  return rows[0]!
}

export type StaleItem = {
  id: string
  owner_id: string | null
  next_review_at: Date
  heat: number
  in_active_rooms: number
}

/** Published items that are due for review, those with the most use first. */
export async function listStaleItems(tx: TenantTx, now: Date, limit: number): Promise<StaleItem[]> {
  const { rows } = await sql<StaleItem>`
    select item.id, item.owner_id, item.next_review_at, coalesce(stats.heat, 0) as heat,
      (select count(*)::integer from enablement.room_items placed join enablement.rooms room on room.id = placed.room_id
        where placed.content_item_id = item.id and room.status = 'active' and room.deleted_at is null) as in_active_rooms
    from enablement.content_items item left join enablement.content_item_stats stats on stats.item_id = item.id
    where item.status = 'published' and item.deleted_at is null and item.next_review_at < ${now}
    order by heat desc, item.next_review_at, item.id limit ${limit}
  `.execute(tx)
  return rows
}

export async function listReadinessScores(tx: TenantTx): Promise<{ user_id: string; score: number }[]> {
  const { rows } = await sql<{ user_id: string; score: number }>`
    select user_id, score_tenths / 10.0::float8 as score from enablement.readiness_scores where score_tenths is not null
  `.execute(tx)
  return rows
}
