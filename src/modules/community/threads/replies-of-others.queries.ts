import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { isVisible } from '../posts/visibility.queries.ts'

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
