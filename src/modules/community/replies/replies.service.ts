import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { assertVersion, notFound } from '#platform/errors'
import { emit } from '#platform/outbox'
import { replyDeleted } from '../community.events.ts'
import { assertReadable, assertWritableOrModerator } from '../rooms/room-access.rules.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { getThreadRow, lockThread } from '../threads/threads.queries.ts'
import { assertMayDelete } from '../threads/threads.rules.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { presentReplies } from './present-replies.service.ts'
import { deleteReplyRow, getReplyRow, listReplyRows } from './replies.queries.ts'
import type { Reply, ReplyQuery } from './replies.schemas.ts'
import { clearAcceptedReply, countChangedReplies } from './reply-counters.queries.ts'

export async function listReplies(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { after_no: afterNo, include_hidden = false, include_deleted = false, ...page }: ReplyQuery,
): Promise<Page<Reply>> {
  const shownThread = { includesHidden: true, includesDeleted: include_deleted }
  const { access, key } = await getThreadAccess(tx, actor, threadId, shownThread)
  assertReadable(access)
  const thread = await getThreadRow(tx, key)
  const shown = { includesHidden: include_hidden, includesDeleted: include_deleted }
  const { items, ...rest } = await listReplyRows(tx, { threadId, afterNo, viewer: key.viewer, shown }, page)
  return { ...rest, items: await presentReplies(tx, actor, items, { ...thread, access }) }
}

type GetReplyInput = { threadId: string; replyId: string; include_deleted?: boolean }

export async function getReply(
  tx: TenantTx,
  actor: UserActor,
  { threadId, replyId, include_deleted = false }: GetReplyInput,
): Promise<Reply> {
  const shown = { includesHidden: true, includesDeleted: include_deleted }
  const { access, key } = await getThreadAccess(tx, actor, threadId, shown)
  assertReadable(access)
  const thread = await getThreadRow(tx, key)
  const reply = await getReplyRow(tx, { ...key, id: replyId, threadId })
  return (await presentReplies(tx, actor, [reply], { ...thread, access }))[0]!
}

type DeleteReplyInput = { threadId: string; replyId: string; expectedVersion?: number; now: Date }

export async function deleteReply(
  tx: TenantTx,
  actor: UserActor,
  { threadId, replyId, expectedVersion, now }: DeleteReplyInput,
): Promise<void> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  const thread = await lockThread(tx, key)
  const reply = await getReplyRow(tx, { ...key, id: replyId, threadId })
  assertMayDelete(actor, access, reply)
  assertWritableOrModerator(access)
  assertVersion(reply, expectedVersion)

  const deleted = await deleteReplyRow(tx, replyId, { deleted_at: now, deleted_by: actor.userId })
  if (!deleted) throw notFound('reply')
  const { reply_no } = reply
  const before = { thread_id: threadId, reply_no }
  await Promise.all([
    ...(deleted.hidden_at === null ? [countChangedReplies(tx, threadId, -1)] : []),
    ...(thread.accepted_reply_id === replyId ? [clearAcceptedReply(tx, threadId)] : []),
    recordAudit(tx, 'reply.deleted', { id: replyId, label: thread.title, before }),
    emit(tx, replyDeleted, thread, { room_id: key.roomId, reply_id: replyId, reply_no }),
  ])
}
