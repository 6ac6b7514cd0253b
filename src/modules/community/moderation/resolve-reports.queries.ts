import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type ReportedPost = { threadId: string; replyId: string | null }

export const isAbout = ({ threadId, replyId }: ReportedPost): Expression<SqlBool> =>
  sql`thread_id = ${threadId}::uuid and reply_id is not distinct from ${replyId}::uuid`

type ResolvedFields = { resolution: 'kept' | 'hidden' | 'deleted'; now: Date; userId: string | null }

/** Called while the thread is locked, so the order of the rows does not matter. */
export async function resolveReportRows(
  tx: TenantTx,
  post: ReportedPost,
  { resolution, now, userId }: ResolvedFields,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('community.reports')
    .set({ resolved_at: now, resolved_by: userId, resolution })
    .where(isAbout(post))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function resolveReportRowsOfThread(
  tx: TenantTx,
  threadId: string,
  { resolution, now, userId }: ResolvedFields,
): Promise<void> {
  await tx
    .updateTable('community.reports')
    .set({ resolved_at: now, resolved_by: userId, resolution })
    .where('thread_id', '=', threadId)
    .where('resolved_at', 'is', null)
    .execute()
}
