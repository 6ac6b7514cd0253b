import { sql } from 'kysely'
import { Type } from 'typebox'
import { decodeCursor, directionOf, type Page, planForValues, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type SortedPageQuery } from '#platform/schema'
import { findNotificationKind, type NotificationText } from './notification.ts'

export type InAppNotification = Omit<NotificationText, 'path'> & {
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

export async function listNotifications(
  tx: TenantTx,
  userId: string,
  { unread, sort, ...page }: SortedPageQuery & { unread?: boolean },
): Promise<Page<InAppNotification>> {
  const order = directionOf(sort, '-created_at')
  let matching = inAppNotifications(tx, userId)
  if (unread !== undefined) {
    await planForValues(tx)
    matching = matching.where('read_at', unread ? 'is' : 'is not', null)
  }

  let query = matching
    .select(columns)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) query = query.where('id', order.after, decodeCursor(page.cursor, SortKey, order)[0])
  else query = query.offset(page.offset)

  const rows = await query.execute()
  const { items, ...rest } = toPage(rows, await totalOf(tx, matching, page), page, ({ id }) => [id], order)
  return { ...rest, items: items.map(toInAppNotification) }
}

const inAppNotifications = (tx: TenantTx, userId: string) =>
  tx
    .selectFrom('platform.notifications')
    .where('user_id', '=', userId)
    // A literal instead of a parameter, so that the planner can use the partial indexes.
    .where('in_app', '=', sql.lit(true))

const maxCounted = 100

/** Counts up to 100, which is enough to show a number beside a bell. */
export async function countUnreadNotifications(tx: TenantTx, userId: string): Promise<number> {
  const unread = inAppNotifications(tx, userId).select('id').where('read_at', 'is', null).limit(maxCounted)
  const { count } = await tx
    .selectFrom(unread.as('unread'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findOwnNotificationIds(
  tx: TenantTx,
  userId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await inAppNotifications(tx, userId)
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function markNotificationRowsRead(
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

type NotificationRow = Omit<InAppNotification, keyof NotificationText> & { payload: unknown }

function toInAppNotification({ payload, ...row }: NotificationRow): InAppNotification {
  const text = findNotificationKind(row.kind)?.text(payload)
  return { ...row, title: text?.title ?? row.kind, body: text?.body ?? '', path: text?.path ?? null }
}
