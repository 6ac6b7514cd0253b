import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type ContentTime = { item_id: string; seconds: number; progress: number }

/** Time that a user spent on content items in the library since an instant, as the heartbeats of views tell. */
export async function listContentTimes(
  tx: TenantTx,
  userId: string,
  itemIds: readonly string[],
  since: Date,
): Promise<ContentTime[]> {
  if (!itemIds.length) return []
  return await tx
    .selectFrom('enablement.content_views')
    .select([
      'item_id',
      sql<number>`sum(active_seconds)::int`.as('seconds'),
      sql<number>`max(progress)::float8`.as('progress'),
    ])
    .where('user_id', '=', userId)
    .where('item_id', '=', sql<string>`any(${itemIds}::uuid[])`)
    .where('source', '=', 'library')
    .where('started_at', '>=', since)
    .groupBy('item_id')
    .execute()
}
