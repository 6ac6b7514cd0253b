import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { ShownPosts } from '../posts/visibility.queries.ts'
import type { RoomAccess, Viewer } from '../rooms/room-access.rules.ts'
import { getRoomAccess } from '../rooms/room-access.service.ts'
import { findRoomIdOfThread, type ThreadKey } from './threads.queries.ts'

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
