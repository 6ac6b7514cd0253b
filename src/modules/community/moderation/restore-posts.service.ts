import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { emit } from '#platform/outbox'
import { replyRestored, threadRestored } from '../community.events.ts'
import { presentReplies } from '../replies/present-replies.service.ts'
import { getReplyRow } from '../replies/replies.queries.ts'
import type { Reply } from '../replies/replies.schemas.ts'
import { countChangedReplies } from '../replies/reply-counters.queries.ts'
import { assertModerator, assertReadable } from '../rooms/room-access.rules.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { presentThread } from '../threads/present-threads.service.ts'
import { lockThread, updateThreadRow } from '../threads/threads.queries.ts'
import type { Thread } from '../threads/threads.schemas.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { restoreReplyRow } from './conceal-posts.queries.ts'
import { referenceOf } from './hide-posts.service.ts'

export const restorableDays = 30

const withDeleted = { includesHidden: true, includesDeleted: true }

/** The thread is hidden again if it was hidden before it was deleted. */
export async function restoreThread(tx: TenantTx, actor: UserActor, threadId: string, now: Date): Promise<Thread> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId, withDeleted)
  assertReadable(access)
  const thread = await lockThread(tx, key)
  assertModerator(access)
  if (!isRestorable(thread, now)) throw notFound('deleted thread')

  const restored = await updateThreadRow(tx, threadId, { deleted_at: null, deleted_by: null })
  const { room_id, title } = thread
  await recordAudit(tx, 'thread.restored', { id: threadId, label: title, before: { deleted_at: thread.deleted_at } })
  await emit(tx, threadRestored, restored, { room_id })
  return await presentThread(tx, actor, restored, access)
}

type RestoreReplyInput = { threadId: string; replyId: string; now: Date }

export async function restoreReply(
  tx: TenantTx,
  actor: UserActor,
  { threadId, replyId, now }: RestoreReplyInput,
): Promise<Reply> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  assertReadable(access)
  const thread = await lockThread(tx, key)
  const reply = await getReplyRow(tx, { ...key, id: replyId, threadId, shown: withDeleted })
  assertModerator(access)
  const restored = isRestorable(reply, now) ? await restoreReplyRow(tx, replyId) : undefined
  if (!restored) throw notFound('deleted reply')

  if (restored.hidden_at === null) await countChangedReplies(tx, threadId, 1)
  const before = { deleted_at: reply.deleted_at }
  await recordAudit(tx, 'reply.restored', { id: replyId, label: thread.title, before })
  await emit(tx, replyRestored, thread, referenceOf(thread, restored))
  const [presented] = await presentReplies(tx, actor, [restored], { ...thread, access })
  return presented!
}

const isRestorable = ({ deleted_at }: { deleted_at: Date | null }, now: Date): boolean =>
  deleted_at !== null && deleted_at > daysLater(now, -restorableDays)
