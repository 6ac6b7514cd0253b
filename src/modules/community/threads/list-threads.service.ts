import { findRoomSummary } from '#modules/rooms'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { isRowOfRooms } from '../posts/visibility.queries.ts'
import { canReadRoom, type RoomAccess } from '../rooms/room-access.rules.ts'
import { readRoomAccesses, toRoomAccess } from '../rooms/room-access.service.ts'
import { listThreadRows, type ThreadListAccess } from './list-threads.queries.ts'
import { presentSummaries } from './present-threads.service.ts'
import { type FoundThreadRow, searchThreadRows } from './search-threads.queries.ts'
import { moderatesAllRooms } from './threads.rules.ts'
import type { ListedThread, ThreadQuery } from './threads.schemas.ts'

export async function listThreads(tx: TenantTx, actor: UserActor, query: ThreadQuery): Promise<Page<ListedThread>> {
  const { limit, offset, cursor, count, search, mentioned, followed, include_hidden, include_deleted, ...filter } =
    query
  const page = { limit, offset, cursor, count }
  const shown = { includesHidden: include_hidden ?? false, includesDeleted: include_deleted ?? false }
  const { accessOf, ...reach } = filter.room_id
    ? await readReachOfRoom(tx, actor, filter.room_id)
    : await readReachOfAllRooms(tx, actor)
  if (!accessOf) return emptyPage(page)

  const threadFilter = {
    ...filter,
    ...(mentioned && { mentionedUserId: actor.userId }),
    ...(followed && { followerId: actor.userId }),
  }
  const rows: Page<FoundThreadRow> =
    search === undefined
      ? await listThreadRows(tx, threadFilter, { ...reach, shown }, page)
      : await searchThreadRows(tx, search, threadFilter, { ...reach, shown }, page)
  const summaries = await presentSummaries(tx, actor, rows.items, ({ room_id }) => accessOf(room_id))
  const items = summaries.map((summary, index) => ({
    ...summary,
    matched_reply_no: rows.items[index]!.matched_reply_no ?? null,
  }))
  return { ...rows, items }
}

type Reach = Omit<ThreadListAccess, 'shown'> & { accessOf?: (roomId: string) => RoomAccess }

/** A room that the caller cannot read has an empty list. */
async function readReachOfRoom(tx: TenantTx, actor: UserActor, roomId: string): Promise<Reach> {
  const room = await findRoomSummary(tx, roomId)
  const access = room && toRoomAccess(actor, room)
  const isReadable = access !== undefined && canReadRoom(access)
  return {
    viewer: { userId: actor.userId, moderates: access?.isModerator ?? false },
    unreadableRoomIds: [],
    ...(isReadable && { accessOf: () => access }),
  }
}

async function readReachOfAllRooms(tx: TenantTx, actor: UserActor): Promise<Reach> {
  const { unreadableIds, moderatedIds, accessById } = await readRoomAccesses(tx, actor)
  const moderates = moderatesAllRooms(actor.role) || isRowOfRooms('community.threads', moderatedIds)
  return {
    viewer: { userId: actor.userId, moderates },
    unreadableRoomIds: unreadableIds,
    accessOf: (roomId) => accessById.get(roomId)!,
  }
}

const emptyPage = ({ limit, offset }: PageQuery): Page<never> => ({
  items: [],
  total: 0,
  total_relation: 'eq',
  limit,
  offset,
  next_cursor: null,
})
