import { findRoomSummary, listCommunityRoomSummaries, type RoomSummary } from '#modules/rooms'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import {
  canReadRoom,
  defaultRoomSettings,
  isCommunityRoom,
  isModeratorOf,
  type RoomAccess,
  type RoomSettings,
  type Viewer,
} from './room-access.rules.ts'
import { findRoomSettings } from './room-settings.queries.ts'

export const toRoomAccess = (viewer: Viewer, room: RoomSummary): RoomAccess => ({
  room,
  isModerator: isModeratorOf(viewer, room),
})

/** Returns the room of a thread. Threads of deleted rooms are not found. */
export async function getRoomAccess(tx: TenantTx, viewer: Viewer, roomId: string): Promise<RoomAccess> {
  const room = await findRoomSummary(tx, roomId)
  if (!isCommunityRoom(room)) throw notFound('thread')
  return toRoomAccess(viewer, room)
}

export async function readRoomSettings(tx: TenantTx, roomId: string): Promise<RoomSettings> {
  return ((await findRoomSettings(tx, roomId)) as RoomSettings | undefined) ?? defaultRoomSettings
}

/** The rooms of the workspace, by what the viewer may do in them. */
export type RoomAccesses = { unreadableIds: string[]; moderatedIds: string[]; accessById: Map<string, RoomAccess> }

export async function readRoomAccesses(tx: TenantTx, viewer: Viewer): Promise<RoomAccesses> {
  const rooms = (await listCommunityRoomSummaries(tx)).map((room) => toRoomAccess(viewer, room))
  return {
    unreadableIds: rooms.filter((access) => !canReadRoom(access)).map(({ room }) => room.id),
    moderatedIds: rooms.filter(({ isModerator }) => isModerator).map(({ room }) => room.id),
    accessById: new Map(rooms.map((access) => [access.room.id, access])),
  }
}
