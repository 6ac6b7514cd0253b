import { findUserCards } from '#modules/identity'
import { findRoomSummary } from '#modules/rooms'
import type { TenantTx } from '#platform/db'
import { notifyReplied } from '../posts/post-notifications.ts'
import { type FollowerBatch, listFollowerIds } from '../readers/thread-readers.queries.ts'
import { findReply } from '../replies/replies.queries.ts'
import { canReadRoom, isModeratorOf } from '../rooms/room-access.rules.ts'
import { listVisibleThreadsByIds } from '../threads/threads.queries.ts'

const onlyVisible = {
  viewer: { userId: null, moderates: false },
  shown: { includesHidden: false, includesDeleted: false },
}

/** Notifies a batch of followers who can read the room. Returns the last of them, or undefined if there are no more. */
export async function notifyFollowers(
  tx: TenantTx,
  replyId: string,
  batch: FollowerBatch,
): Promise<string | undefined> {
  const { threadId, limit } = batch
  const [thread] = await listVisibleThreadsByIds(tx, [threadId])
  const reply = thread && (await findReply(tx, { id: replyId, threadId, ...onlyVisible }))
  const room = reply && (await findRoomSummary(tx, thread.room_id))
  if (!room) return undefined

  const followerIds = await listFollowerIds(tx, batch)
  const users = await findUserCards(tx, followerIds)
  const post = { id: replyId, thread_id: threadId, title: thread.title }
  for (const userId of followerIds) {
    const user = users.get(userId)
    const isModerator = user !== undefined && isModeratorOf({ userId, role: user.role }, room)
    // The author of the thread was notified with the reply.
    const isInvolved = userId === reply.author_id || userId === thread.author_id
    if (!isInvolved && canReadRoom({ room, isModerator })) await notifyReplied(tx, userId, post)
  }
  return followerIds.length === limit ? followerIds.at(-1) : undefined
}
