import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const isExternal = sql<SqlBool>`counted_at is not null and not is_internal and not is_bot`

export async function readVisitTotals(tx: TenantTx, roomId: string, since: Date) {
  const { rows } = await sql<{ visitors: number; seconds: number; first_at: Date | null; last_at: Date | null }>`
    select count(distinct visitor_id) filter (where started_at >= ${since})::integer as visitors,
      coalesce(sum(active_seconds) filter (where started_at >= ${since}), 0)::integer as seconds,
      min(started_at) as first_at, max(last_event_at) as last_at
    from enablement.room_visits where room_id = ${roomId} and ${isExternal}
  `.execute(tx)
  return rows[0]!
}

/** Items of the room that visitors looked at for at least five seconds. */
export async function listViewedItemIds(tx: TenantTx, roomId: string, since: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('enablement.content_views')
    .select('room_item_id')
    .distinct()
    .where('room_id', '=', roomId)
    .where('started_at', '>=', since)
    .where('active_seconds', '>=', 5)
    .where('is_counted', '=', true)
    .where('is_internal', '=', false)
    .where('is_bot', '=', false)
    .execute()
  return rows.flatMap(({ room_item_id }) => room_item_id ?? [])
}

type StoredEngagement = {
  engagement_score: number | null
  engagement_band: string
  first_external_visit_at: Date | null
  last_external_visit_at: Date | null
  hot_alert_at?: Date
}

export async function updateEngagement(tx: TenantTx, roomId: string, engagement: StoredEngagement): Promise<void> {
  await tx.updateTable('enablement.rooms').set(engagement).where('id', '=', roomId).execute()
}

export function lockRoomEngagement(tx: TenantTx, roomId: string) {
  return tx
    .selectFrom('enablement.rooms')
    .select(['id', 'name', 'owner_id', 'settings', 'version', 'engagement_score', 'engagement_band', 'hot_alert_at'])
    .where('id', '=', roomId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
