import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterCursor, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type PageQuery } from '#platform/schema'
import { findNotificationKind, type NotificationText } from './notification.ts'

export type SeenNotification = Omit<NotificationText, 'path'> & {
  id: string
  kind: string
  path: string | null
  resource_type: string | null
  resource_id: string | null
  read_at: Date | null
  created_at: Date
}

const columns = ['id', 'kind', 'payload', 'resource_type', 'resource_id', 'read_at', 'created_at'] as const
const SortKey = Type.Tuple([Id])

/** What somebody was told in the app, the newest first. */
export async function listNotifications(
  tx: TenantTx,
  userId: string,
  { unread, ...page }: PageQuery & { unread?: boolean },
): Promise<Page<SeenNotification>> {
  let told = toldInApp(tx, userId)
  if (unread !== undefined) told = told.where('read_at', unread ? 'is' : 'is not', null)

  let picked = told
    .select(columns)
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
  if (page.cursor) picked = picked.where('id', '<', afterCursor(page.cursor, SortKey)[0])
  else picked = picked.offset(page.offset)

  const rows = await picked.execute()
  const { items, ...rest } = toPage(rows, await totalOf(tx, told, page), page, ({ id }) => [id])
  return { ...rest, items: items.map(inWords) }
}

const toldInApp = (tx: TenantTx, userId: string) =>
  tx
    .selectFrom('platform.notifications')
    .where('user_id', '=', userId)
    // Written out, so that the partial indexes fit.
    .where('in_app', '=', sql.lit(true))

/** Of these the ones somebody was told in the app, read or not. */
export async function findOwnNotifications(tx: TenantTx, userId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await toldInApp(tx, userId).select('id').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
  return new Set(found.map(({ id }) => id))
}

/** These, or without `ids` all of them. One that was read before keeps its time. Tells how many are new to it. */
export async function markNotificationsRead(
  tx: TenantTx,
  userId: string,
  { ids, now }: { ids?: readonly string[]; now: Date },
): Promise<number> {
  let unread = tx
    .updateTable('platform.notifications')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('in_app', '=', sql.lit(true))
    .where('read_at', 'is', null)
  if (ids) unread = unread.where('id', '=', sql<string>`any(${ids}::uuid[])`)
  const { numUpdatedRows } = await unread.executeTakeFirst()
  return Number(numUpdatedRows)
}

type Row = Omit<SeenNotification, keyof NotificationText> & { payload: unknown }

/** A kind that a later release no longer knows has lost its words, and stays readable by its name. */
function inWords({ payload, ...told }: Row): SeenNotification {
  const text = findNotificationKind(told.kind)?.text(payload)
  return { ...told, title: text?.title ?? told.kind, body: text?.body ?? '', path: text?.path ?? null }
}
