import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { isVisible } from '../posts/visibility.queries.ts'

/** More unread replies are not counted. */
export const maxUnread = 100

export type ThreadReaderRow = {
  thread_id: string
  is_following: boolean | null
  last_read_no: number | null
  unread: number
}

/** Reads what the user follows and has not read of these threads, in one statement. */
export async function listReaderRows(
  tx: TenantTx,
  userId: string,
  threadIds: readonly string[],
): Promise<ThreadReaderRow[]> {
  const { rows } = await sql<ThreadReaderRow>`
    select listed.thread_id, listed.is_following, listed.last_read_no, counted.unread
    from (
      select thread.id as thread_id, reader.is_following, reader.last_read_no, coalesce(reader.last_read_no, 0) as read_to
      from unnest(${threadIds}::uuid[]) as thread (id)
      left join lateral (select is_following, last_read_no from community.thread_readers
        where thread_id = thread.id and user_id = ${userId}::uuid offset 0) as reader on true
      offset 0
    ) as listed
    cross join lateral (select count(*)::integer as unread from (
      select from community.replies
      where community.replies.thread_id = listed.thread_id and community.replies.reply_no > listed.read_to
        and ${isVisible('community.replies')}
      limit ${sql.lit(maxUnread)}) as unread_replies) as counted
  `.execute(tx)
  return rows
}

export const followedThreadIds = (userId: string) => sql<string[]>`array(
  select thread_id from community.thread_readers where user_id = ${userId}::uuid and is_following
  union all
  select authored.id from community.threads as authored
  where authored.author_id = ${userId}::uuid and not exists (
    select from community.thread_readers as decided
    where decided.thread_id = authored.id and decided.user_id = ${userId}::uuid and decided.is_following is not null))::uuid[]`

/** Null if the user never decided. */
export async function findFollowing(tx: TenantTx, threadId: string, userId: string): Promise<boolean | null> {
  const reader = await tx
    .selectFrom('community.thread_readers')
    .select('is_following')
    .where('thread_id', '=', threadId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return reader?.is_following ?? null
}

type Reader = { threadId: string; userId: string; now: Date }

export async function upsertFollowing(
  tx: TenantTx,
  { threadId, userId, now }: Reader,
  isFollowing: boolean,
): Promise<void> {
  await tx
    .insertInto('community.thread_readers')
    .values({ thread_id: threadId, user_id: userId, is_following: isFollowing, created_at: now })
    .onConflict((existing) => existing.constraint('thread_readers_pkey').doUpdateSet({ is_following: isFollowing }))
    .execute()
}

/** A position never moves back, because requests can arrive late. */
export async function upsertReadPosition(
  tx: TenantTx,
  { threadId, userId, now }: Reader,
  replyNo: number,
): Promise<void> {
  await sql`
    insert into community.thread_readers as reader (thread_id, user_id, last_read_no, created_at)
    values (${threadId}, ${userId}, ${replyNo}, ${now})
    on conflict on constraint thread_readers_pkey do update set last_read_no = excluded.last_read_no
    where reader.last_read_no is null or reader.last_read_no < excluded.last_read_no
  `.execute(tx)
}

export type FollowerBatch = { threadId: string; after: string; limit: number }

export async function listFollowerIds(tx: TenantTx, { threadId, after, limit }: FollowerBatch): Promise<string[]> {
  const followers = await tx
    .selectFrom('community.thread_readers')
    .select('user_id')
    .where('thread_id', '=', threadId)
    .where(sql<boolean>`is_following`)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return followers.map(({ user_id }) => user_id)
}

export async function deleteReadersOfUser(tx: TenantTx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('community.thread_readers')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function deleteReadersOfThreads(tx: TenantTx, threadIds: readonly string[]): Promise<void> {
  await sql`delete from community.thread_readers where thread_id = any (${threadIds}::uuid[])`.execute(tx)
}
