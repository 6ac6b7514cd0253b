import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { archiveFields } from '../content/change-status.service.ts'
import { notifyReviewDue } from '../content/content-notifications.ts'
import { findReviewNotice } from '../content/freshness.rules.ts'
import { contentArchived } from '../library.events.ts'
import { archiveItemRows, listItemsToReview, lockExpiredItems, updateReviewNotifiedAt } from './schedules.queries.ts'

const batchSize = 100

export async function archiveExpiredItems(tx: TenantTx, now: Date): Promise<boolean> {
  const expired = await lockExpiredItems(tx, now, batchSize)
  if (!expired.length) return false
  const ids = expired.map(({ id }) => id)
  const archived = await archiveItemRows(tx, ids, archiveFields(now, 'expired'))
  await recordAuditEntries(
    tx,
    'content.updated',
    archived.map(({ id, title }) => ({ id, label: title, after: { status: 'archived', archive_reason: 'expired' } })),
  )
  await emitMany(
    tx,
    contentArchived,
    archived.map((item) => ({ subject: item, data: { reason: 'expired', superseded_by_id: null } })),
  )
  return expired.length === batchSize
}

type ReviewPage = { now: Date; before: Date; afterId: string | null }

/** Returns the id after which the next page begins. */
export async function sendReviewNotices(
  tx: TenantTx,
  { now, before, afterId }: ReviewPage,
): Promise<string | undefined> {
  const items = await listItemsToReview(tx, before, afterId, batchSize)
  const notifiedIds: string[] = []
  for (const item of items) {
    const notice = findReviewNotice(item.next_review_at!, item.review_notified_at, now)
    if (!notice) continue
    await notifyReviewDue(tx, item, notice)
    notifiedIds.push(item.id)
  }
  if (notifiedIds.length) await updateReviewNotifiedAt(tx, notifiedIds, now)
  return items.length === batchSize ? items.at(-1)!.id : undefined
}
