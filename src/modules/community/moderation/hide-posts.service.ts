import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { replyHidden, replyShown, threadHidden, threadShown } from '../community.events.ts'
import type { ReplyRow } from '../replies/replies.queries.ts'
import { clearAcceptedReply, countChangedReplies } from '../replies/reply-counters.queries.ts'
import { type ThreadRow, updateThreadRow } from '../threads/threads.queries.ts'
import { hideReplyRow, notHidden, showReplyRow } from './conceal-posts.queries.ts'
import { resolveReportRows } from './resolve-reports.queries.ts'

/** `isAutomatic` leaves the reports of the post to moderators. */
type Hiding = { reason: string | null; now: Date; isAutomatic?: boolean }

/** The caller has locked the thread. */
export async function hideThread(tx: TenantTx, thread: ThreadRow, hiding: Hiding): Promise<ThreadRow> {
  if (thread.hidden_at) return thread
  const hidden = await updateThreadRow(tx, thread.id, hiddenFields(tx, hiding))
  if (!hiding.isAutomatic) await resolveReports(tx, { threadId: thread.id, replyId: null }, 'hidden', hiding.now)
  const { id, room_id, title } = thread
  await recordAudit(tx, 'thread.hidden', { id, label: title, after: { is_hidden: true, hidden_reason: hiding.reason } })
  await emit(tx, threadHidden, hidden, { room_id, reason: hiding.reason })
  return hidden
}

export async function showThread(tx: TenantTx, thread: ThreadRow, now: Date): Promise<ThreadRow> {
  if (!thread.hidden_at) return thread
  const shown = await updateThreadRow(tx, thread.id, notHidden)
  await resolveReports(tx, { threadId: thread.id, replyId: null }, 'kept', now)
  const { id, room_id, title } = thread
  await recordAudit(tx, 'thread.shown', { id, label: title, before: { is_hidden: true }, after: { is_hidden: false } })
  await emit(tx, threadShown, shown, { room_id })
  return shown
}

/** An accepted answer is no longer accepted once it is hidden, because its id would tell that it exists. */
export async function hideReply(tx: TenantTx, thread: ThreadRow, reply: ReplyRow, hiding: Hiding): Promise<ReplyRow> {
  const hidden = await hideReplyRow(tx, reply.id, hiddenFields(tx, hiding))
  if (!hidden) return reply
  await countChangedReplies(tx, thread.id, -1)
  if (thread.accepted_reply_id === reply.id) await clearAcceptedReply(tx, thread.id)
  if (!hiding.isAutomatic) await resolveReports(tx, { threadId: thread.id, replyId: reply.id }, 'hidden', hiding.now)
  const after = { is_hidden: true, hidden_reason: hiding.reason }
  await recordAudit(tx, 'reply.hidden', { id: reply.id, label: thread.title, after })
  await emit(tx, replyHidden, thread, { ...referenceOf(thread, reply), reason: hiding.reason })
  return hidden
}

export async function showReply(tx: TenantTx, thread: ThreadRow, reply: ReplyRow, now: Date): Promise<ReplyRow> {
  const shown = await showReplyRow(tx, reply.id)
  if (!shown) return reply
  await countChangedReplies(tx, thread.id, 1)
  await resolveReports(tx, { threadId: thread.id, replyId: reply.id }, 'kept', now)
  const [before, after] = [{ is_hidden: true }, { is_hidden: false }]
  await recordAudit(tx, 'reply.shown', { id: reply.id, label: thread.title, before, after })
  await emit(tx, replyShown, thread, referenceOf(thread, reply))
  return shown
}

const hiddenFields = (tx: TenantTx, { reason, now, isAutomatic }: Hiding) => ({
  hidden_at: now,
  hidden_by: isAutomatic ? null : actorOf(tx).userId,
  hidden_reason: reason,
})

const resolveReports = (
  tx: TenantTx,
  post: { threadId: string; replyId: string | null },
  resolution: 'kept' | 'hidden',
  now: Date,
) => resolveReportRows(tx, post, { resolution, now, userId: actorOf(tx).userId })

export const referenceOf = ({ room_id }: ThreadRow, { id, reply_no }: ReplyRow) => ({
  room_id,
  reply_id: id,
  reply_no,
})
