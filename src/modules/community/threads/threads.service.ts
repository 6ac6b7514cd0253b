import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, notFound } from '#platform/errors'
import { emit } from '#platform/outbox'
import { threadDeleted } from '../community.events.ts'
import type { ShownPosts } from '../posts/visibility.queries.ts'
import { assertReadable, assertWritableOrModerator, type RoomAccess, type Viewer } from '../rooms/room-access.rules.ts'
import { getRoomAccess } from '../rooms/room-access.service.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { presentThread } from './present-threads.service.ts'
import {
  findRoomIdOfThread,
  getThreadRow,
  listThreadsWithRepliesOfOthers,
  lockThread,
  type ThreadKey,
  updateThreadRow,
} from './threads.queries.ts'
import { assertMayDelete, hasRepliesError } from './threads.rules.ts'
import type { Thread } from './threads.schemas.ts'

/** Hidden posts are found by their authors and by moderators. */
export const withHidden: ShownPosts = { includesHidden: true, includesDeleted: false }

/** Returns the room of the thread and how to find the thread in it, as far as the viewer may see it. */
export async function getThreadAccess(
  tx: TenantTx,
  viewer: Viewer,
  threadId: string,
  shown: ShownPosts = withHidden,
): Promise<{ access: RoomAccess; key: ThreadKey }> {
  const roomId = await findRoomIdOfThread(tx, threadId)
  if (roomId === undefined) throw notFound('thread')
  const access = await getRoomAccess(tx, viewer, roomId)
  const postViewer = { userId: viewer?.userId ?? null, moderates: access.isModerator }
  return { access, key: { id: threadId, roomId, viewer: postViewer, shown } }
}

export async function getThread(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { include_deleted = false }: { include_deleted?: boolean },
): Promise<Thread> {
  const shown = { includesHidden: true, includesDeleted: include_deleted }
  const { access, key } = await getThreadAccess(tx, actor, threadId, shown)
  assertReadable(access)
  return await presentThread(tx, actor, await getThreadRow(tx, key), access)
}

/** Replies stay, but are not found without their thread. */
export async function deleteThread(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { expectedVersion, now }: { expectedVersion?: number; now: Date },
): Promise<void> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  const thread = await lockThread(tx, key)
  assertMayDelete(actor, access, thread)
  assertWritableOrModerator(access)
  assertVersion(thread, expectedVersion)
  if (!access.isModerator && (await listThreadsWithRepliesOfOthers(tx, [threadId], actor.userId)).size)
    throw hasRepliesError()

  const unpinned = { is_pinned: false, pinned_at: null, pinned_by: null }
  const deleted = await updateThreadRow(tx, threadId, { deleted_at: now, deleted_by: actor.userId, ...unpinned })
  const { room_id, kind, title } = thread
  await recordAudit(tx, 'thread.deleted', { id: threadId, label: title, before: { room_id, kind, title } })
  await emit(tx, threadDeleted, deleted, { room_id })
}
