import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { findOwnNotificationIds, markNotificationRowsRead } from '#platform/notify'
import type { NotificationSelection } from './notifications.schemas.ts'

/** Not audited and emits no event, because the read status is private to the user. */
export async function markNotificationsRead(
  tx: TenantTx,
  { userId }: UserActor,
  selection: NotificationSelection,
  now: Date,
) {
  const ids = 'ids' in selection ? selection.ids : undefined
  if (ids) await assertOwnNotifications(tx, userId, ids)
  return { marked: await markNotificationRowsRead(tx, userId, { ids, now }) }
}

async function assertOwnNotifications(tx: TenantTx, userId: string, ids: string[]): Promise<void> {
  const own = await findOwnNotificationIds(tx, userId, ids)
  const unknown = ids.findIndex((id) => !own.has(id))
  if (unknown >= 0) throw unknownReference(`/ids/${unknown}`, 'notification')
}
