import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { acquireAdvisoryLock, type Database, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { isShownTo, isVisible, type PostViewer, type ShownPosts } from '../posts/visibility.queries.ts'

type Threads = Database['community.threads']

export const summaryColumns = [
  'id',
  'room_id',
  'author_id',
  'kind',
  'title',
  'excerpt',
  'is_pinned',
  'pinned_at',
  'locked_at',
  'accepted_reply_id',
  'reply_count',
  'last_reply_at',
  'last_activity_at',
  'edited_at',
  'hidden_at',
  'deleted_at',
  'created_at',
  'updated_at',
  'version',
] as const
const threadColumns = [...summaryColumns, 'body', 'body_html', 'next_reply_no'] as const

export type ThreadSummaryRow = Pick<Selectable<Threads>, (typeof summaryColumns)[number]>
export type ThreadRow = Pick<Selectable<Threads>, (typeof threadColumns)[number]>

export async function findRoomIdOfThread(tx: TenantTx, id: string): Promise<string | undefined> {
  const thread = await tx.selectFrom('community.threads').select('room_id').where('id', '=', id).executeTakeFirst()
  return thread?.room_id
}

export type ThreadKey = { id: string; roomId: string; viewer: PostViewer; shown: ShownPosts }

const selectThread = (tx: TenantTx, { id, roomId, viewer, shown }: ThreadKey) =>
  tx
    .selectFrom('community.threads')
    .select(threadColumns)
    .where('id', '=', id)
    .where('room_id', '=', roomId)
    .where(isShownTo('community.threads', viewer, shown))

export const getThreadRow = (tx: TenantTx, key: ThreadKey): Promise<ThreadRow> =>
  selectThread(tx, key).executeTakeFirstOrThrow(() => notFound('thread'))

/** Every change of a thread or of its replies locks the thread first. */
export const lockThread = (tx: TenantTx, key: ThreadKey): Promise<ThreadRow> =>
  selectThread(tx, key)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('thread'))

export function insertThread(tx: TenantTx, thread: Insertable<Threads>): Promise<ThreadRow> {
  return tx.insertInto('community.threads').values(thread).returning(threadColumns).executeTakeFirstOrThrow()
}

export function updateThreadRow(tx: TenantTx, id: string, fields: Updateable<Threads>): Promise<ThreadRow> {
  return tx
    .updateTable('community.threads')
    .set(fields)
    .where('id', '=', id)
    .returning(threadColumns)
    .executeTakeFirstOrThrow()
}

export function listVisibleThreadsByIds(tx: TenantTx, ids: readonly string[]): Promise<ThreadRow[]> {
  return tx
    .selectFrom('community.threads')
    .select(threadColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('hidden_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Serializes the posts of a user, so that two requests at once cannot both pass a check of earlier posts. */
export const lockPostsOfAuthor = (tx: TenantTx, userId: string): Promise<void> =>
  acquireAdvisoryLock(tx, `community_author:${userId}`)

export const lockPinsOfRoom = (tx: TenantTx, roomId: string): Promise<void> =>
  acquireAdvisoryLock(tx, `room_pins:${roomId}`)

type NewPost = { authorId: string; roomId: string; bodyHash: Buffer; since: Date }

export async function findSameThreadId(
  tx: TenantTx,
  { authorId, roomId, bodyHash, since }: NewPost,
): Promise<string | undefined> {
  const thread = await tx
    .selectFrom('community.threads')
    .select('id')
    .where('author_id', '=', authorId)
    .where('created_at', '>', since)
    .where('room_id', '=', roomId)
    .where('body_hash', '=', bodyHash)
    .where('deleted_at', 'is', null)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return thread?.id
}

/** Returns those of the threads that have a visible reply of another user. */
export async function listThreadsWithRepliesOfOthers(
  tx: TenantTx,
  threadIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${threadIds}::uuid[]) as thread (id)
    where exists (select from community.replies
      where community.replies.thread_id = thread.id and community.replies.author_id <> ${userId}::uuid
      and ${isVisible('community.replies')})
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
