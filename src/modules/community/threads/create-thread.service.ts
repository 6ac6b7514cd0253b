import { lockRoomSummaryShared } from '#modules/rooms'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Clock, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { invalid, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { threadCreated } from '../community.events.ts'
import { saveMentions } from '../posts/mentions.service.ts'
import { cleanTitle, hashBody, toExcerpt } from '../posts/post-text.rules.ts'
import { type ParsedPost, renderPost } from '../posts/post-text.service.ts'
import { assertWritable, type RoomAccess } from '../rooms/room-access.rules.ts'
import { readRoomSettings, toRoomAccess } from '../rooms/room-access.service.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { presentThread } from './present-threads.service.ts'
import { findSameThreadId, insertThread, lockPostsOfAuthor } from './threads.queries.ts'
import { assertMayCreate, duplicateError, duplicateSeconds } from './threads.rules.ts'
import type { NewThread, Thread } from './threads.schemas.ts'

export async function createThread(
  tx: TenantTx,
  actor: UserActor,
  input: NewThread & ParsedPost,
  clock: Clock,
): Promise<Thread> {
  await assertNotSuspended(tx, actor)
  const title = cleanTitle(input.title)
  const { fields, mentioned } = await renderPost(tx, actor.userId, input)
  const access = await lockTargetRoom(tx, actor, input.room_id)
  assertWritable(access)
  assertMayCreate(access, await readRoomSettings(tx, input.room_id), input)
  await lockPostsOfAuthor(tx, actor.userId)
  const now = clock.now()
  const bodyHash = hashBody(input.body)
  const since = secondsLater(now, -duplicateSeconds)
  const existingId = await findSameThreadId(tx, { authorId: actor.userId, roomId: input.room_id, bodyHash, since })
  if (existingId !== undefined) throw duplicateError(existingId)

  const thread = await insertThread(tx, {
    id: newId(),
    room_id: input.room_id,
    author_id: actor.userId,
    kind: input.kind,
    title,
    ...fields,
    excerpt: toExcerpt(fields.body_text),
    body_hash: bodyHash,
    last_activity_at: now,
    created_at: now,
    updated_at: now,
  })
  const { id, room_id, kind } = thread
  const post = { id, thread_id: id, kind: 'thread', isNew: true, title, authorId: actor.userId, access } as const
  await saveMentions(tx, post, mentioned, now)
  await recordAudit(tx, 'thread.created', { id, label: title, after: { room_id, kind, title } })
  await emit(tx, threadCreated, thread, { room_id, kind, author_id: actor.userId })
  return await presentThread(tx, actor, thread, access)
}

/** The room keeps its type and status until the thread is committed. */
export async function lockTargetRoom(tx: TenantTx, actor: UserActor, roomId: string): Promise<RoomAccess> {
  const room = await lockRoomSummaryShared(tx, roomId)
  if (!room) throw unknownReference('/room_id', 'room')
  if (room.room_type !== 'community')
    throw invalid('body', '/room_id', 'room_not_community', '`room_id` must be a room of the type `community`.')
  return toRoomAccess(actor, room)
}
