import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function deleteViewsOfUser(tx: TenantTx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('enablement.content_views')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Finds the items by the views of the user, so it runs before the views are deleted. */
export async function deleteViewerOfUser(tx: TenantTx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('enablement.content_viewers')
    .where(
      'item_id',
      '=',
      sql<string>`any(array(select item_id from enablement.content_views where user_id = ${userId}))`,
    )
    .where('viewer_key', '=', `user:${userId}`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function clearSearchMisses(tx: TenantTx, userId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update enablement.content_search_misses set last_user_id = null where last_user_id = ${userId}
  `.execute(tx)
  return Number(numAffectedRows)
}
