import { acquireAdvisoryLock, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { findOpenViewId, insertView } from './views.queries.ts'
import { viewClosesBefore } from './views.rules.ts'

type NewView = { itemId: string; versionNo: number | null; userId: string; hasProgress: boolean; now: Date }

/** The lock makes concurrent requests of a user share one view. */
export async function openView(
  tx: TenantTx,
  { itemId, versionNo, userId, hasProgress, now }: NewView,
): Promise<string> {
  const open = { itemId, versionNo, userId, after: viewClosesBefore(now) }
  const openId = await findOpenViewId(tx, open)
  if (openId) return openId
  await acquireAdvisoryLock(tx, `content_view:${itemId}:${userId}`)
  const concurrentId = await findOpenViewId(tx, open)
  if (concurrentId) return concurrentId
  const id = newId()
  await insertView(tx, {
    id,
    item_id: itemId,
    version_no: versionNo,
    source: 'library',
    user_id: userId,
    started_at: now,
    last_event_at: now,
    is_internal: true,
    has_progress: hasProgress,
  })
  return id
}
