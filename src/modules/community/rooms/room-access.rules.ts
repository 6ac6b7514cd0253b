import type { RoomSummary } from '#modules/rooms'
import { isManagerOrAdmin, type Role } from '#platform/access'
import { conflict, notFound, roleRequired } from '#platform/errors'

/** Null is a caller without an account, and other systems. */
export type Viewer = { userId: string; role: Role } | null

export type RoomAccess = { room: RoomSummary; isModerator: boolean }

export type RoomSettings = {
  public_read: boolean
  post_policy: 'members' | 'moderators'
  slow_mode_seconds: number
  public_author_names: 'full' | 'first' | 'hidden'
}

export const defaultRoomSettings: RoomSettings = {
  public_read: false,
  post_policy: 'members',
  slow_mode_seconds: 0,
  public_author_names: 'first',
}

export const isModeratorOf = (viewer: Viewer, { owner_id }: Pick<RoomSummary, 'owner_id'>): boolean =>
  viewer !== null && (isManagerOrAdmin(viewer.role) || viewer.userId === owner_id)

export const isCommunityRoom = (room: RoomSummary | undefined): room is RoomSummary =>
  room !== undefined && room.room_type === 'community' && room.deleted_at === null

/** Drafts are prepared by moderators; closed and archived rooms stay readable. */
export const canReadRoom = ({ room, isModerator }: RoomAccess): boolean =>
  isCommunityRoom(room) && (room.status !== 'draft' || isModerator)

export const canWriteInRoom = ({ room, isModerator }: RoomAccess): boolean =>
  room.status === 'active' || (room.status === 'draft' && isModerator)

export const isPublicRoom = (room: RoomSummary | undefined, settings: RoomSettings): boolean =>
  isCommunityRoom(room) && room.status === 'active' && settings.public_read

const nameDetails: readonly string[] = ['hidden', 'first', 'full'] satisfies RoomSettings['public_author_names'][]
type PublicSettings = { public_read: boolean; public_author_names: string }

/** Only managers decide that readers without sign-in see threads, or more of the names of their authors. */
export function assertMayPublish(role: Role, before: PublicSettings, after: PublicSettings): void {
  const detailOf = ({ public_read, public_author_names }: PublicSettings) =>
    public_read ? nameDetails.indexOf(public_author_names) : -1
  if (detailOf(after) > detailOf(before) && !isManagerOrAdmin(role))
    throw roleRequired('Only managers and admins can make threads or names of authors public.')
}

export function assertReadable(access: RoomAccess): void {
  if (!canReadRoom(access)) throw notFound('thread')
}

export function assertWritable(access: RoomAccess): void {
  if (!canWriteInRoom(access))
    throw conflict(
      'room_not_active',
      `Threads and replies cannot be changed while the room is ${access.room.status}. Activate the room first.`,
    )
}

/** Moderators hide, delete, restore, lock and pin also in closed and archived rooms. */
export function assertWritableOrModerator(access: RoomAccess): void {
  if (!access.isModerator) assertWritable(access)
}

export function assertModerator({ isModerator }: RoomAccess): void {
  if (!isModerator) throw roleRequired('Only the owner of the room, managers and admins can do this.')
}
