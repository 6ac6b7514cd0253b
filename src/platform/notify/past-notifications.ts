import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { newIdAt } from '#platform/ids'
import { findNotificationKind, serializePayload } from './notification.ts'
import { insertNotification } from './notifications.queries.ts'

export type PastNotification = {
  userId: string
  kind: string
  payload: object
  resource: { type: string; id: string }
  createdAt: Date
  readAt: Date | null
}

/** Stores a notification of sample data, which `notify` does not send. */
export async function insertPastNotification(tx: TenantTx, notification: PastNotification): Promise<string> {
  const { userId, kind: name, payload, resource, createdAt, readAt } = notification
  const kind = findNotificationKind(name)
  if (!kind) throw new Error(`The notification kind ${name} is not defined.`)
  const id = newIdAt(createdAt)
  await insertNotification(tx, {
    id,
    user_id: userId,
    kind: name,
    payload: serializePayload(kind, payload),
    resource_type: resource.type,
    resource_id: resource.id,
    in_app: true,
    by_mail: false,
    created_at: createdAt,
    read_at: readAt,
  })
  return id
}

export async function deletePastNotifications(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`delete from platform.notifications where id = any (${ids}::uuid[])`.execute(tx)
}
