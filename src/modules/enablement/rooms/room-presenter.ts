import type { EventPresenter } from '#platform/module'
import { RoomSummary } from './room-details.schemas.ts'
import { toRoomSummaries } from './room-details.service.ts'
import { listRoomsByIds } from './rooms.queries.ts'

export const roomPresenter: EventPresenter = {
  subjectType: 'room',
  schema: RoomSummary,
  async list(tx, ids) {
    const rooms = await toRoomSummaries(tx, await listRoomsByIds(tx, ids))
    return new Map(rooms.map((room) => [room.id, room]))
  },
}
