import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type MentionRow = { post_id: string; thread_id: string; post_kind: string }

export function listMentionsOfUser(tx: TenantTx, userId: string, limit: number): Promise<MentionRow[]> {
  return tx
    .selectFrom('community.mentions')
    .select(['post_id', 'thread_id', 'post_kind'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

type PostTextRow = {
  id: string
  thread_id: string
  title: string | null
  body: string
  hidden_reason: string | null
}

export async function listPostTexts(
  tx: TenantTx,
  kind: 'thread' | 'reply',
  ids: readonly string[],
): Promise<PostTextRow[]> {
  const posts =
    kind === 'thread'
      ? sql`select id, id as thread_id, title, body, hidden_reason from community.threads`
      : sql`select id, thread_id, null::text as title, body, hidden_reason from community.replies`
  const { rows } = await sql<PostTextRow>`
    ${posts} where id = any (${ids}::uuid[]) and purged_at is null order by id
  `.execute(tx)
  return rows
}

export async function deleteMentionsOfUser(tx: TenantTx, userId: string, postIds: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('community.mentions')
    .where('user_id', '=', userId)
    .where('post_id', '=', sql<string>`any(${postIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function clearReportNotes(tx: TenantTx, userId: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('community.reports')
    .set({ note: null })
    .where('reporter_id', '=', userId)
    .where('note', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
