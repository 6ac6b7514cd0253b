import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type Post = { id: string; thread_id: string; kind: 'thread' | 'reply' }

/** Replaces the mentions of a post and returns the users who were not mentioned in it before. */
export async function replaceMentions(
  tx: TenantTx,
  post: Post,
  mentions: { userIds: readonly string[]; notifiedIds: readonly string[]; now: Date },
): Promise<string[]> {
  const { userIds, notifiedIds, now } = mentions
  await tx
    .deleteFrom('community.mentions')
    .where('post_id', '=', post.id)
    .where(sql<boolean>`not (user_id = any (${userIds}::uuid[]))`)
    .execute()
  const { rows } = await sql<{ user_id: string }>`
    insert into community.mentions (post_id, thread_id, post_kind, user_id, notified_at, created_at)
    select ${post.id}, ${post.thread_id}, ${post.kind}, mentioned.id,
      case when mentioned.id = any (${notifiedIds}::uuid[]) then ${now}::timestamptz end, ${now}
    from unnest(${userIds}::uuid[]) as mentioned (id)
    on conflict on constraint mentions_pkey do nothing
    returning user_id
  `.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

const tableOf = ({ kind }: Post) => sql.table(kind === 'thread' ? 'community.threads' : 'community.replies')

/** Returns how many users mentions in the post can still notify. The caller has locked the thread or created the post. */
export async function countNotifiableUsers(tx: TenantTx, post: Post, max: number): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select greatest(${max}::integer - notified_mentions, 0) as left from ${tableOf(post)} where id = ${post.id}::uuid
  `.execute(tx)
  return rows[0]!.left
}

export async function countNotifiedUsers(tx: TenantTx, post: Post, users: number): Promise<void> {
  await sql`
    update ${tableOf(post)} set notified_mentions = notified_mentions + ${users}::smallint where id = ${post.id}::uuid
  `.execute(tx)
}

export async function listMentionedIds(tx: TenantTx, postIds: readonly string[]): Promise<Map<string, string[]>> {
  const mentions = await tx
    .selectFrom('community.mentions')
    .select(['post_id', 'user_id'])
    .where('post_id', '=', sql<string>`any(${postIds}::uuid[])`)
    .orderBy('post_id')
    .orderBy('user_id')
    .execute()
  return new Map(
    [...Map.groupBy(mentions, ({ post_id }) => post_id)].map(([id, ofPost]) => [
      id,
      ofPost.map(({ user_id }) => user_id),
    ]),
  )
}
