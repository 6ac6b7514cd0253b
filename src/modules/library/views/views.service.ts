import type { UserActor } from '#platform/access'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { findOpenViewId, insertView, lockOwnView, updateViewRow } from './views.queries.ts'
import { applyHeartbeat, isViewOpen, viewClosesBefore } from './views.rules.ts'
import type { ContentView, ViewHeartbeat } from './views.schemas.ts'

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

/** Counters are not updated here but by the recount, so that heartbeats never wait for each other. */
export async function updateContentView(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { heartbeat, now }: { heartbeat: ViewHeartbeat; now: Date },
): Promise<ContentView> {
  const view = await lockOwnView(tx, id, actor.userId)
  if (!isViewOpen(view, now))
    throw conflict('view_closed', 'The view was closed after 30 minutes without a heartbeat. Open the item again.')
  const changes = applyHeartbeat(view, heartbeat, now)
  await updateViewRow(tx, id, { ...changes, last_event_at: now, last_heartbeat_at: now })
  const { active_seconds, progress, completed } = changes
  return { id, active_seconds, progress, completed }
}
