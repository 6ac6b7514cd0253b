import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { conflict, roleRequired } from '#platform/errors'
import { canWriteInRoom, type RoomAccess, type RoomSettings } from '../rooms/room-access.rules.ts'
import type { NewThread } from './threads.schemas.ts'

export const maxPinnedThreads = 5
export const duplicateSeconds = 600

/** Null is a viewer that is not a user, such as a webhook endpoint. */
export type PermissionHolder = Pick<UserActor, 'userId' | 'role' | 'scopes'> | null

type OwnedPost = { author_id: string; deleted_at: Date | null }

export function permissionsOf(
  holder: PermissionHolder,
  access: RoomAccess,
  post: OwnedPost,
  { hasRepliesOfOthers = false } = {},
) {
  if (!holder || post.deleted_at) return { edit: false, delete: false, pin: false, moderate: false }
  const { isModerator } = access
  const isWritable = canWriteInRoom(access)
  const isAuthor = post.author_id === holder.userId
  const mayWrite = holder.scopes.has('community.write')
  const mayDelete =
    holder.scopes.has('community.delete') && (isModerator || (isWritable && isAuthor && !hasRepliesOfOthers))
  return {
    edit: mayWrite && isWritable && (isAuthor || isModerator),
    delete: mayDelete,
    pin: mayWrite && isModerator,
    moderate: mayWrite && isModerator,
  }
}

export function assertMayCreate(
  { isModerator }: RoomAccess,
  { post_policy }: RoomSettings,
  { kind }: Pick<NewThread, 'kind'>,
): void {
  if (isModerator) return
  if (kind === 'announcement') throw roleRequired('Only moderators of the room can create announcements.')
  if (post_policy === 'moderators') throw roleRequired('Only moderators of the room can create threads in it.')
}

export function assertMayDelete({ userId }: UserActor, { isModerator }: RoomAccess, post: OwnedPost): void {
  if (!isModerator && post.author_id !== userId)
    throw roleRequired('Only the author, the owner of the room, managers and admins can delete this.')
}

export const hasRepliesError = () =>
  conflict('has_replies', 'The thread has replies of other users. A moderator of the room can delete it.')

export const pinLimitError = () =>
  conflict('pin_limit', `The room already has ${maxPinnedThreads} pinned threads. Unpin another thread first.`)

export const duplicateError = (existingId: string) =>
  conflict('duplicate_post', 'You created a thread with the same text in this room within ten minutes.', {
    existing_id: existingId,
  })

export const moderatesAllRooms = (role: UserActor['role']): boolean => isManagerOrAdmin(role)
