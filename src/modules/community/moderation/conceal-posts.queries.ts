import type { TenantTx } from '#platform/db'
import { type ReplyRow, replyColumns } from '../replies/replies.queries.ts'

export type HiddenFields = { hidden_at: Date; hidden_by: string | null; hidden_reason: string | null }

export const notHidden = { hidden_at: null, hidden_by: null, hidden_reason: null }

/** Returns the row only if the reply was visible. */
export function hideReplyRow(tx: TenantTx, id: string, fields: HiddenFields): Promise<ReplyRow | undefined> {
  return tx
    .updateTable('community.replies')
    .set(fields)
    .where('id', '=', id)
    .where('hidden_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning(replyColumns)
    .executeTakeFirst()
}

/** Returns the row only if the reply was hidden. */
export function showReplyRow(tx: TenantTx, id: string): Promise<ReplyRow | undefined> {
  return tx
    .updateTable('community.replies')
    .set(notHidden)
    .where('id', '=', id)
    .where('hidden_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .returning(replyColumns)
    .executeTakeFirst()
}

/** Returns the row only if the reply was deleted and is not purged. */
export function restoreReplyRow(tx: TenantTx, id: string): Promise<ReplyRow | undefined> {
  return tx
    .updateTable('community.replies')
    .set({ deleted_at: null, deleted_by: null })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .where('purged_at', 'is', null)
    .returning(replyColumns)
    .executeTakeFirst()
}
