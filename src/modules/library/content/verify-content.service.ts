import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, roleRequired } from '#platform/errors'
import { emit } from '#platform/outbox'
import { contentReviewed } from '../library.events.ts'
import { getItem, lockItem, updateItemRow } from './content.queries.ts'
import { canSee, isOwnerOrManager } from './content.rules.ts'
import type { ContentItem, ContentReview } from './content.schemas.ts'
import { notifyUpdateNeeded } from './content-notifications.ts'
import { nextReviewAt } from './freshness.rules.ts'
import { type ContentContext, presentItem } from './present-content.service.ts'
import { readViewer } from './viewer.service.ts'

export async function verifyContentItem(
  tx: TenantTx,
  context: ContentContext,
  id: string,
  { outcome, note }: ContentReview,
): Promise<ContentItem> {
  const viewer = await readViewer(tx)
  const item = await lockItem(tx, id)
  if (!canSee(item, viewer)) throw notFound('content item')
  if (!isOwnerOrManager(item, viewer) && (item.reviewed_by === null || item.reviewed_by !== viewer.userId))
    throw roleRequired('Only the owner of the content item, its reviewer or a manager can review it.')
  if (item.status !== 'published')
    throw conflict('conflict', 'Only published content can be reviewed. Publish it first.')

  const now = context.clock.now()
  const reviewed = { last_reviewed_at: now, review_interval_days: item.review_interval_days }
  const changed = await updateItemRow(
    tx,
    id,
    outcome === 'still_valid'
      ? {
          last_reviewed_at: now,
          reviewed_by: viewer.userId,
          next_review_at: nextReviewAt(reviewed),
          needs_update_at: null,
        }
      : { next_review_at: now, needs_update_at: now },
  )
  await recordAudit(tx, 'content.reviewed', { id, label: item.title, before: item, after: changed, reason: note })
  await emit(tx, contentReviewed, changed, { outcome })
  if (outcome === 'needs_update') await notifyUpdateNeeded(tx, changed, note ?? null)
  return await presentItem(tx, context, await getItem(tx, id))
}
