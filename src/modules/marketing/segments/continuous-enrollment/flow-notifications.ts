import { Type } from 'typebox'
import { filterActiveUserIds, listActiveAdminIds } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import type { SegmentRow } from '../segments/segments.queries.ts'

const flowStopped = defineNotification('segment.flow_stopped', {
  description: 'a continuous enrollment of your segment was stopped',
  payload: strict({ segment_id: Id, name: Type.String(), reason: Type.String() }),
  text: ({ segment_id, name, reason }) => ({
    title: `An enrollment of the segment "${name}" was stopped`,
    body: `${reason} New members are no longer enrolled. Start the enrollment again if it is still needed.`,
    path: `/segments/${segment_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
  emailDelaySeconds: 120,
  coalesceKey: ({ reason }) => reason.slice(0, 200),
})

/** Notifies the owner of the segment, or the admins if it has none who is active. The user who caused the stop knows it. */
export async function notifyFlowStopped(tx: TenantTx, segment: SegmentRow, reason: string): Promise<void> {
  const { id, name, owner_id } = segment
  const owners = [...(await filterActiveUserIds(tx, owner_id ? [owner_id] : []))]
  const actor = actorOf(tx)
  const causedBy = 'userId' in actor ? actor.userId : null
  for (const userId of owners.length ? owners : await listActiveAdminIds(tx)) {
    if (userId === causedBy) continue
    await notify(tx, userId, flowStopped, { segment_id: id, name, reason }, { resource: { type: 'segment', id } })
  }
}
