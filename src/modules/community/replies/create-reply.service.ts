import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Clock, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { replyCreated } from '../community.events.ts'
import { saveMentions } from '../posts/mentions.service.ts'
import { notifyReplied } from '../posts/post-notifications.ts'
import { type ParsedPost, renderPost } from '../posts/post-text.service.ts'
import { findFollowing, upsertReadPosition } from '../readers/thread-readers.queries.ts'
import { assertWritable, type RoomAccess } from '../rooms/room-access.rules.ts'
import { readRoomSettings } from '../rooms/room-access.service.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { lockPostsOfAuthor, lockThread, type ThreadKey } from '../threads/threads.queries.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { toReply } from './present-replies.service.ts'
import { findLastReplyAt, findReply, insertReply } from './replies.queries.ts'
import { assertNotLocked, assertSlowModeOver, unknownReply } from './replies.rules.ts'
import type { NewReply, Reply } from './replies.schemas.ts'
import { countNewReply } from './reply-counters.queries.ts'

export async function createReply(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  input: NewReply & ParsedPost,
  clock: Clock,
): Promise<Reply> {
  await assertNotSuspended(tx, actor)
  const { fields, mentioned, users } = await renderPost(tx, actor.userId, input)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  await assertSlowMode(tx, actor, access, clock)
  const thread = await lockThread(tx, key)
  assertWritable(access)
  assertNotLocked(thread, access)
  if (input.reply_to_id !== undefined) await assertVisibleReply(tx, key, input.reply_to_id)

  // Read while the thread is locked, so that replies have the order of their numbers.
  const now = clock.now()
  const [id, reply_no] = [newId(), thread.next_reply_no]
  const [reply] = await Promise.all([
    insertReply(tx, {
      id,
      thread_id: threadId,
      reply_no,
      author_id: actor.userId,
      reply_to_id: input.reply_to_id,
      ...fields,
      created_at: now,
      updated_at: now,
    }),
    countNewReply(tx, threadId, { id, created_at: now }),
    recordAudit(tx, 'reply.created', { id, label: thread.title, after: { thread_id: threadId, reply_no } }),
    emit(tx, replyCreated, thread, { room_id: key.roomId, reply_id: id, reply_no, author_id: actor.userId }),
  ])
  const post = { id, thread_id: threadId, title: thread.title }
  await saveMentions(tx, { ...post, kind: 'reply', isNew: true, authorId: actor.userId, access }, mentioned, now)
  await upsertReadPosition(tx, { threadId, userId: actor.userId, now }, reply_no)
  if (thread.author_id !== actor.userId && (await findFollowing(tx, threadId, thread.author_id)) !== false)
    await notifyReplied(tx, thread.author_id, post)
  const mentionedIds = new Map([[id, mentioned.map((user) => user.id).sort()]])
  return toReply(reply, { ...thread, access, holder: actor, users, mentionedIds })
}

/** Rejects a reply that follows the last one of the user in the room too soon. */
async function assertSlowMode(tx: TenantTx, { userId }: UserActor, access: RoomAccess, clock: Clock): Promise<void> {
  if (access.isModerator) return
  const roomId = access.room.id
  const { slow_mode_seconds: seconds } = await readRoomSettings(tx, roomId)
  if (seconds === 0) return
  await lockPostsOfAuthor(tx, userId)
  const now = clock.now()
  const lastReplyAt = await findLastReplyAt(tx, { userId, roomId, since: secondsLater(now, -seconds) })
  assertSlowModeOver(lastReplyAt, now, seconds)
}

async function assertVisibleReply(tx: TenantTx, { id, viewer }: ThreadKey, replyId: string): Promise<void> {
  const shown = { includesHidden: false, includesDeleted: false }
  if (!(await findReply(tx, { id: replyId, threadId: id, viewer, shown }))) throw unknownReply()
}
