import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { findOwnNotifications, markNotificationsRead } from '#platform/notify'
import type { NotificationsRead } from './notifications.schemas.ts'

/** That somebody has read something is for them alone: it leaves no entry in the audit trail and is not announced. */
export async function readNotifications(tx: TenantTx, { userId }: SignedIn, read: NotificationsRead, now: Date) {
  const ids = 'ids' in read ? read.ids : undefined
  if (ids) await assertOwn(tx, userId, ids)
  return { marked: await markNotificationsRead(tx, userId, { ids, now }) }
}

async function assertOwn(tx: TenantTx, userId: string, ids: string[]): Promise<void> {
  const own = await findOwnNotifications(tx, userId, ids)
  const stranger = ids.findIndex((id) => !own.has(id))
  if (stranger >= 0) throw unknownReference(`/ids/${stranger}`, 'notification')
}
