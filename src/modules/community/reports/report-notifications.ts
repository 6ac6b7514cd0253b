import { Type } from 'typebox'
import { listManagerIdsToNotify } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'

const reported = defineNotification('thread.reported', {
  description: 'users report a thread or a reply in a room that you moderate',
  payload: strict({ thread_id: Id, title: Type.String(), is_hidden: Type.Boolean() }),
  text: ({ title, is_hidden }) => ({
    title: is_hidden ? `A post in "${title}" was hidden` : `A post in "${title}" was reported`,
    body: is_hidden
      ? 'Three users reported it, so it was hidden. Decide whether it is kept, stays hidden or is deleted.'
      : 'Decide whether it is kept, hidden or deleted.',
    path: '/community/reports',
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

type ReportNotice = { reportId: string; ownerId: string; thread: { id: string; title: string }; isHidden: boolean }

/** Notifies the owner of the room and up to 20 managers and admins. */
export async function notifyModerators(
  tx: TenantTx,
  { reportId, ownerId, thread: { id, title }, isHidden }: ReportNotice,
): Promise<void> {
  const recipients = new Set([ownerId, ...(await listManagerIdsToNotify(tx))])
  const options = { dedupeKey: `report:${reportId}`, resource: { type: 'thread', id } }
  for (const userId of recipients)
    await notify(tx, userId, reported, { thread_id: id, title, is_hidden: isHidden }, options)
}
