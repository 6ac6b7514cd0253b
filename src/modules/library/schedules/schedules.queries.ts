import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#platform/db'
import type { ContentRow } from '../content/content.queries.ts'

export async function listTenantsWithExpiredItems(tx: SystemTx, now: Date): Promise<string[]> {
  const tenants = await tx
    .selectFrom('enablement.content_items')
    .select('tenant_id')
    .distinct()
    .where('expires_at', '<=', now)
    .where('status', '=', sql.lit('published'))
    .where('deleted_at', 'is', null)
    .execute()
  return tenants.map(({ tenant_id }) => tenant_id)
}

export async function listTenantsWithReviews(tx: SystemTx, before: Date): Promise<string[]> {
  const tenants = await tx
    .selectFrom('enablement.content_items')
    .select('tenant_id')
    .distinct()
    .where('next_review_at', '<=', before)
    .where('status', '=', sql.lit('published'))
    .where('deleted_at', 'is', null)
    .execute()
  return tenants.map(({ tenant_id }) => tenant_id)
}

export async function lockExpiredItems(
  tx: TenantTx,
  now: Date,
  limit: number,
): Promise<{ id: string; expires_at: Date | null }[]> {
  return await tx
    .selectFrom('enablement.content_items')
    .select(['id', 'expires_at'])
    .where('expires_at', '<=', now)
    .where('status', '=', sql.lit('published'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
}

type ArchiveFields = Pick<ContentRow, 'status' | 'archived_at' | 'archive_reason' | 'superseded_by_id'>

export function archiveItemRows(tx: TenantTx, ids: readonly string[], fields: ArchiveFields) {
  return tx
    .updateTable('enablement.content_items')
    .set(fields)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(['id', 'title', 'version', 'archive_reason', 'superseded_by_id'])
    .execute()
}

/** In id order, because the date of the next review is not unique. */
export function listItemsToReview(tx: TenantTx, before: Date, afterId: string | null, limit: number) {
  let items = tx
    .selectFrom('enablement.content_items')
    .select(['id', 'title', 'owner_id', 'next_review_at', 'review_notified_at'])
    .where('next_review_at', '<=', before)
    .where('status', '=', sql.lit('published'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
  if (afterId) items = items.where('id', '>', afterId)
  return items.execute()
}

export async function updateReviewNotifiedAt(tx: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('enablement.content_items')
    .set({ review_notified_at: now })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}
