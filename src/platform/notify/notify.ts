import { type Static, type TSchema, Type } from 'typebox'
import { type Clock, daysLater, secondsLater, systemClock } from '#platform/clock'
import { actorOf, repeatUntilEmpty, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, defineSchedule, enqueue, type Schedule } from '#platform/jobs'
import { Id, nullable, strict } from '#platform/schema'
import { channelsFor } from './channels.rules.ts'
import { getRecipientDirectory, type NotificationKind, serializePayload } from './notification.ts'
import { deleteNotificationsBefore, findLastEmailAt, insertNotification } from './notifications.queries.ts'

type NotifyOptions = {
  dedupeKey?: string
  resource?: { type: string; id: string }
  /** Sends no email, because callers without an account can cause the notification. */
  isInAppOnly?: boolean
}

export const sendNotificationEmailJob = defineJob(
  'platform.mail_notifications',
  'mail',
  strict({ user_id: Id, kind: Type.String(), coalesce_key: nullable(Type.String()), mail_id: Id }),
)

/** Notifies a user in the app and by email, according to their preferences, once `tx` commits. */
export async function notify<S extends TSchema>(
  tx: TenantTx,
  userId: string,
  kind: NotificationKind<S>,
  payload: Static<S>,
  { dedupeKey, resource, isInAppOnly }: NotifyOptions = {},
): Promise<void> {
  if (actorOf(tx).origin === 'sample') return
  const chosen = channelsFor(kind as unknown as NotificationKind, await getRecipientDirectory(tx).find(tx, userId))
  const channels = { ...chosen, email: chosen.email && !isInAppOnly }
  if (!channels.in_app && !channels.email) return

  const coalesceKey = kind.coalesceKey?.(payload) ?? null
  const mailId = newId()
  const isNew = await insertNotification(tx, {
    id: newId(),
    user_id: userId,
    kind: kind.kind,
    payload: serializePayload(kind, payload),
    resource_type: resource?.type ?? null,
    resource_id: resource?.id ?? null,
    dedupe_key: dedupeKey ?? null,
    coalesce_key: coalesceKey,
    in_app: channels.in_app,
    by_mail: channels.email,
    mail_id: channels.email && coalesceKey === null ? mailId : null,
  })
  if (!isNew || !channels.email) return

  // The first notification queues the email; later ones with the same coalesce key are added to it while it waits.
  const job = { user_id: userId, kind: kind.kind, coalesce_key: coalesceKey, mail_id: mailId }
  const startAfter = await emailTimeOf(tx, kind as unknown as NotificationKind, { userId, coalesceKey })
  await enqueue(tx, sendNotificationEmailJob, job, {
    ...(startAfter && { startAfter }),
    ...(coalesceKey !== null && { singletonKey: `${userId}:${kind.kind}:${coalesceKey}` }),
  })
}

type EmailKey = { userId: string; coalesceKey: string | null }

/** Returns undefined if the email can be sent at once. */
async function emailTimeOf(
  tx: TenantTx,
  { kind, emailDelaySeconds = 0, emailIntervalSeconds }: NotificationKind,
  { userId, coalesceKey }: EmailKey,
): Promise<Date | undefined> {
  const delayed = emailDelaySeconds ? secondsLater(new Date(), emailDelaySeconds) : undefined
  if (!emailIntervalSeconds || coalesceKey === null) return delayed
  const lastEmailAt = await findLastEmailAt(tx, { userId, kind, coalesceKey })
  const next = lastEmailAt && secondsLater(lastEmailAt, emailIntervalSeconds)
  return next && (!delayed || next > delayed) ? next : delayed
}

const retentionDays = 90
const batchSize = 10_000

export const deleteOldNotificationsSchedule = (clock: Clock = systemClock): Schedule =>
  defineSchedule('platform.drop_notifications', '41 * * * *', async ({ inSystem, signal, log }) => {
    const cutoff = daysLater(clock.now(), -retentionDays)
    const deleteBatch = () => inSystem((tx) => deleteNotificationsBefore(tx, cutoff, batchSize))
    const deleted = await repeatUntilEmpty(deleteBatch, signal)
    if (deleted) log.info({ deleted }, 'deleted old notifications')
  })
