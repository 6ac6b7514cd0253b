import { type Insertable, sql } from 'kysely'
import type { Database, SystemTx, TenantTx } from '#platform/db'

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
