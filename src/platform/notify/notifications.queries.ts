import { type Insertable, sql } from 'kysely'
import { containsAnyText, type Database, type SystemTx, type TenantTx } from '#platform/db'

type NewNotification = Omit<Insertable<Database['platform.notifications']>, 'tenant_id'>

/** Returns false if a notification with the same `dedupe_key` exists. */
export async function insertNotification(tx: TenantTx, notification: NewNotification): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('platform.notifications')
    .values(notification)
    .onConflict((conflict) => conflict.constraint('notifications_once').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function listNotificationsOfEmail(tx: TenantTx, mailId: string) {
  return tx
    .selectFrom('platform.notifications')
    .select(['id', 'payload', 'mailed_at'])
    .where('mail_id', '=', mailId)
    .orderBy('id')
    .execute()
}

type EmailAssignment = { userId: string; kind: string; coalesceKey: string; mailId: string }

export async function assignNotificationsToEmail(
  tx: TenantTx,
  { userId, kind, coalesceKey, mailId }: EmailAssignment,
): Promise<void> {
  await tx
    .updateTable('platform.notifications')
    .set({ mail_id: mailId })
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('coalesce_key', '=', coalesceKey)
    .where('by_mail', '=', true)
    .where('mail_id', 'is', null)
    .execute()
}

export async function findLastEmailAt(
  tx: TenantTx,
  { userId, kind, coalesceKey }: Omit<EmailAssignment, 'mailId'>,
): Promise<Date | undefined> {
  const last = await tx
    .selectFrom('platform.notifications')
    .select('mailed_at')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('coalesce_key', '=', coalesceKey)
    .where('mailed_at', 'is not', null)
    .orderBy('mailed_at', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return last?.mailed_at ?? undefined
}

export async function markEmailSent(tx: TenantTx, mailId: string): Promise<void> {
  await tx.updateTable('platform.notifications').set({ mailed_at: sql`now()` }).where('mail_id', '=', mailId).execute()
}

export async function deleteNotificationsOfUser(tx: TenantTx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('platform.notifications')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

type NotificationMentions = { resourceIds: readonly string[]; mentions: readonly string[]; names: readonly string[] }

/** Deletes notifications about these records or with one of the texts; emails that wait for them are not sent. */
export async function deleteNotificationsAbout(
  tx: TenantTx,
  { resourceIds, mentions, names }: NotificationMentions,
): Promise<number> {
  const payload = sql`payload::text`
  const { numAffectedRows = 0n } = await sql`
    delete from platform.notifications
    where resource_id = any (${resourceIds}::uuid[]) or ${containsAnyText(payload, mentions)}
      or (resource_id is null and ${containsAnyText(payload, names)})
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Deletes notifications about these records that also contain one of the texts. */
export async function deleteMentionsInNotifications(
  tx: TenantTx,
  resourceIds: readonly string[],
  mentions: readonly string[],
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from platform.notifications
    where resource_id = any (${resourceIds}::uuid[]) and ${containsAnyText(sql`payload::text`, mentions)}
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function deleteNotificationsBefore(tx: SystemTx, instant: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with old as (
      select tenant_id, id from platform.notifications where created_at < ${instant} order by created_at limit ${limit}
    ), deleted as (
      delete from platform.notifications n using old where n.tenant_id = old.tenant_id and n.id = old.id returning n.id
    )
    select count(*) as deleted from deleted
  `.execute(tx)
  return rows[0]?.deleted ?? 0
}
