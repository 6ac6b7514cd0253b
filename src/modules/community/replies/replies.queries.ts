import { type Expression, type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { type Database, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { SortedPageQuery } from '#platform/schema'
import {
  isHiddenButVisibleTo,
  isShownTo,
  isVisible,
  type PostViewer,
  type ShownPosts,
} from '../posts/visibility.queries.ts'

type Replies = Database['community.replies']

const table = 'community.replies'
export const replyColumns = [
  'id',
  'thread_id',
  'reply_no',
  'reply_to_id',
  'author_id',
  'body',
  'body_html',
  'edited_at',
  'hidden_at',
  'deleted_at',
  'created_at',
  'updated_at',
  'version',
] as const
export type ReplyRow = Pick<Selectable<Replies>, (typeof replyColumns)[number]>

export type ReplyKey = { id: string; threadId: string; viewer: PostViewer; shown: ShownPosts }

/** The thread must be locked, or visible to the viewer. */
export function findReply(tx: TenantTx, { id, threadId, viewer, shown }: ReplyKey): Promise<ReplyRow | undefined> {
  return tx
    .selectFrom('community.replies')
    .select(replyColumns)
    .where('id', '=', id)
    .where('thread_id', '=', threadId)
    .where(isShownTo(table, viewer, shown))
    .executeTakeFirst()
}

export async function getReplyRow(tx: TenantTx, key: ReplyKey): Promise<ReplyRow> {
  const reply = await findReply(tx, key)
  if (!reply) throw notFound('reply')
  return reply
}

const orders: SortOrders = { reply_no: { by: { reply_no: 'integer' } } }

type ReplyList = { threadId: string; afterNo?: number; viewer: PostViewer; shown: ShownPosts }

export function listReplyRows(tx: TenantTx, list: ReplyList, query: SortedPageQuery): Promise<Page<ReplyRow>> {
  const { threadId, afterNo, viewer, shown } = list
  const conditions: Expression<SqlBool>[] = [sql`community.replies.thread_id = ${threadId}::uuid`]
  if (afterNo !== undefined) conditions.push(sql`community.replies.reply_no > ${afterNo}::integer`)
  const hasConcealed = shown.includesHidden || shown.includesDeleted
  const visibilities = [isVisible(table), ...(hasConcealed ? [isHiddenButVisibleTo(table, viewer, shown)] : [])]
  const plan = {
    table,
    columns: replyColumns,
    order: sortOrderOf(orders, query.sort ?? 'reply_no'),
    scans: visibilities.map((visibility) => ({ conditions: [visibility, ...conditions] })),
    filters: { threadId, afterNo, ...shown },
  }
  return readPage<ReplyRow>(tx, plan, query)
}

export function insertReply(tx: TenantTx, reply: Insertable<Replies>): Promise<ReplyRow> {
  return tx.insertInto('community.replies').values(reply).returning(replyColumns).executeTakeFirstOrThrow()
}

export function updateReplyRow(tx: TenantTx, id: string, fields: Updateable<Replies>): Promise<ReplyRow> {
  return tx
    .updateTable('community.replies')
    .set(fields)
    .where('id', '=', id)
    .returning(replyColumns)
    .executeTakeFirstOrThrow()
}

export type ReplyDeletion = { deleted_at: Date; deleted_by: string }

/** Returns the row only if it was not deleted before. */
export function deleteReplyRow(tx: TenantTx, id: string, deletion: ReplyDeletion): Promise<ReplyRow | undefined> {
  return tx
    .updateTable('community.replies')
    .set(deletion)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(replyColumns)
    .executeTakeFirst()
}

/** Finds the latest reply of a user in a room, deleted ones included. */
export async function findLastReplyAt(
  tx: TenantTx,
  { userId, roomId, since }: { userId: string; roomId: string; since: Date },
): Promise<Date | undefined> {
  const reply = await tx
    .selectFrom('community.replies as reply')
    .innerJoin('community.threads as thread', 'thread.id', 'reply.thread_id')
    .select('reply.created_at')
    .where('reply.author_id', '=', userId)
    .where('reply.created_at', '>', since)
    .where('thread.room_id', '=', roomId)
    .orderBy('reply.created_at', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return reply?.created_at
}
