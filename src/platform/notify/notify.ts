import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { secondsLater } from '#platform/clock'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, enqueue } from '#platform/jobs'
import { Id, nullable, strict } from '#platform/schema'
import { addressBook } from './address-book.ts'
import { channelsFor } from './channels.rules.ts'
import { type NotificationKind, writtenPayload } from './notification.ts'
import { insertNotification } from './notifications.queries.ts'

type Options = {
  /** The same key tells the same person once. */
  dedupeKey?: string
  resource?: { type: string; id: string }
}

export const mailNotifications = defineJob(
  'platform.mail_notifications',
  'mail',
  strict({ user_id: Id, kind: Type.String(), coalesce_key: nullable(Type.String()), mail_id: Id }),
)

/** Tells somebody, in the app and by mail as they wish. Nothing is told unless `tx` commits. */
export async function notify<S extends TSchema>(
  tx: TenantTx,
  userId: string,
  kind: NotificationKind<S>,
  payload: Static<S>,
  { dedupeKey, resource }: Options = {},
): Promise<void> {
  if (actorOf(tx).origin === 'sample') return
  const channels = channelsFor(kind as unknown as NotificationKind, await addressBook().find(tx, userId))
  if (!channels.in_app && !channels.email) return

  const coalesceKey = kind.coalesceKey?.(payload) ?? null
  const mailId = newId()
  const isNew = await insertNotification(tx, {
    id: newId(),
    user_id: userId,
    kind: kind.kind,
    payload: writtenPayload(kind, payload),
    resource_type: resource?.type ?? null,
    resource_id: resource?.id ?? null,
    dedupe_key: dedupeKey ?? null,
    coalesce_key: coalesceKey,
    in_app: channels.in_app,
    by_mail: channels.email,
    mail_id: channels.email && coalesceKey === null ? mailId : null,
  })
  if (!isNew || !channels.email) return

  // The first one orders the mail, and those that come while it waits join it.
  const order = { user_id: userId, kind: kind.kind, coalesce_key: coalesceKey, mail_id: mailId }
  await enqueue(tx, mailNotifications, order, {
    ...(kind.mailAfterSeconds && { startAfter: secondsLater(new Date(), kind.mailAfterSeconds) }),
    ...(coalesceKey !== null && { singletonKey: `${userId}:${kind.kind}:${coalesceKey}` }),
  })
}
