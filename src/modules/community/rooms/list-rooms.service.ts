import { Type } from 'typebox'
import { listCommunityRoomSummaries } from '#modules/rooms'
import { decodeCursor, directionOf, type Page, type TenantTx, toPage, toTotal } from '#platform/db'
import { Id } from '#platform/schema'
import { isSuspended } from '../suspensions/suspensions.service.ts'
import {
  canReadRoom,
  canWriteInRoom,
  defaultRoomSettings,
  type RoomAccess,
  type RoomSettings,
  type Viewer,
} from './room-access.rules.ts'
import { toRoomAccess } from './room-access.service.ts'
import { listRoomSettings, type RoomSettingsRow } from './room-settings.queries.ts'
import { listRoomStats, type RoomStats } from './room-stats.queries.ts'
import type { CommunityRoom, CommunityRoomFilter, CommunityRoomSettings } from './rooms.schemas.ts'

const RoomKey = Type.Tuple([Type.String(), Id])
type RoomKey = [name: string, id: string]

/** A workspace has few community rooms, so they are sorted here. */
export async function listCommunityRooms(
  tx: TenantTx,
  viewer: Viewer,
  query: CommunityRoomFilter,
): Promise<Page<CommunityRoom>> {
  const readable = (await listCommunityRoomSummaries(tx)).map((room) => toRoomAccess(viewer, room)).filter(canReadRoom)
  const order = directionOf(query.sort, 'name')
  const compare = (one: RoomKey, other: RoomKey) => (order.isReversed ? -1 : 1) * compareKeys(one, other)
  const sorted = readable.sort((one, other) => compare(keyOf(one), keyOf(other)))
  const after = query.cursor && (decodeCursor(query.cursor, RoomKey, order) as RoomKey)
  const rest = after ? sorted.filter((access) => compare(keyOf(access), after) > 0) : sorted.slice(query.offset)
  const page = toPage(rest.slice(0, query.limit + 1), toTotal(sorted.length, query), query, keyOf, order)
  return { ...page, items: await presentRooms(tx, page.items, await isSuspended(tx, viewer)) }
}

const keyOf = ({ room }: RoomAccess): RoomKey => [room.name.toLowerCase(), room.id]

function compareKeys([name, id]: RoomKey, [otherName, otherId]: RoomKey): number {
  if (name !== otherName) return name < otherName ? -1 : 1
  return id < otherId ? -1 : Number(id > otherId)
}

async function presentRooms(
  tx: TenantTx,
  rooms: readonly RoomAccess[],
  isViewerSuspended: boolean,
): Promise<CommunityRoom[]> {
  const ids = rooms.map(({ room }) => room.id)
  const [settings, stats] = await Promise.all([listRoomSettings(tx, ids), listRoomStats(tx, ids)])
  const settingsById = new Map(settings.map((row) => [row.room_id, row]))
  const statsById = new Map(stats.map((row) => [row.room_id, row]))
  return rooms.map((access) => {
    const { id } = access.room
    const room = toCommunityRoom(access, settingsById.get(id), statsById.get(id)!)
    return isViewerSuspended ? { ...room, can: { create_thread: false, moderate: false } } : room
  })
}

function toCommunityRoom(access: RoomAccess, row: RoomSettingsRow | undefined, stats: RoomStats): CommunityRoom {
  const { room, isModerator } = access
  const settings = toSettings(room.id, row)
  return {
    id: room.id,
    name: room.name,
    status: room.status as CommunityRoom['status'],
    owner_id: room.owner_id,
    settings,
    thread_count: stats.thread_count,
    last_activity_at: stats.last_activity_at,
    can: {
      create_thread: canWriteInRoom(access) && (isModerator || settings.post_policy === 'members'),
      moderate: isModerator,
    },
  }
}

export const toSettings = (roomId: string, row: RoomSettingsRow | undefined): CommunityRoomSettings => ({
  ...defaultRoomSettings,
  ...(row as RoomSettings | undefined),
  room_id: roomId,
  version: row?.version ?? 0,
})
