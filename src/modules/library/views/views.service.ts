import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { lockOwnView, updateViewRow } from './views.queries.ts'
import { applyHeartbeat, isViewOpen } from './views.rules.ts'
import type { ContentView, ViewHeartbeat } from './views.schemas.ts'

/** Counters are not updated here but by the fold, so that heartbeats never wait for each other. */
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
