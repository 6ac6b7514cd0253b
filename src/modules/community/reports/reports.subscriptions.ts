import { actorOf } from '#platform/db'
import { subscribe } from '#platform/outbox'
import { replyDeleted, threadDeleted } from '../community.events.ts'
import { resolveReportRows, resolveReportRowsOfThread } from '../moderation/resolve-reports.queries.ts'

/** A deleted post needs no decision of a moderator. */
export const onThreadDeleted = subscribe(
  threadDeleted,
  'community.resolve_thread_reports',
  (tx, { subject: { id }, occurred_at }) =>
    resolveReportRowsOfThread(tx, id, { resolution: 'deleted', now: occurred_at, userId: actorOf(tx).userId }),
  { inTransaction: true },
)

export const onReplyDeleted = subscribe(
  replyDeleted,
  'community.resolve_reply_reports',
  (tx, { subject: { id: threadId }, data: { reply_id: replyId }, occurred_at }) =>
    resolveReportRows(
      tx,
      { threadId, replyId },
      { resolution: 'deleted', now: occurred_at, userId: actorOf(tx).userId },
    ),
  { inTransaction: true },
)
