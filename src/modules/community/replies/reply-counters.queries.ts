import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { isVisible } from '../posts/visibility.queries.ts'

export async function countNewReply(
  tx: TenantTx,
  threadId: string,
  { id, created_at }: { id: string; created_at: Date },
): Promise<void> {
  await tx
    .updateTable('community.threads')
    .set(({ eb }) => ({
      reply_count: eb('reply_count', '+', 1),
      next_reply_no: eb('next_reply_no', '+', 1),
      last_reply_at: created_at,
      last_reply_id: id,
      last_activity_at: created_at,
    }))
    .where('id', '=', threadId)
    .execute()
}

/** Changes the number of visible replies and reads the last of them again. The thread must be locked. */
export async function countChangedReplies(tx: TenantTx, threadId: string, change: -1 | 1): Promise<void> {
  await sql`
    update community.threads as thread
    set reply_count = thread.reply_count + ${change}::integer, last_reply_at = last.created_at, last_reply_id = last.id,
      last_activity_at = coalesce(last.created_at, thread.created_at)
    from (select 1) as single left join lateral (
      select id, created_at from community.replies
      where thread_id = ${threadId}::uuid and ${isVisible('community.replies')}
      order by reply_no desc limit 1) as last on true
    where thread.id = ${threadId}::uuid
  `.execute(tx)
}

export async function clearAcceptedReply(tx: TenantTx, threadId: string): Promise<void> {
  await tx.updateTable('community.threads').set({ accepted_reply_id: null }).where('id', '=', threadId).execute()
}
