import { definePresenter } from '#platform/module'
import { listRoomsByIds } from './records/rooms.queries.ts'
import { RoomSummary } from './rooms/room-details.schemas.ts'
import { toRoomSummaries } from './rooms/room-details.service.ts'

export const roomPresenters = [
  definePresenter({
    subjectType: 'room',
    schema: RoomSummary,
    async list(tx, ids) {
      const rooms = await toRoomSummaries(tx, await listRoomsByIds(tx, ids), new Set())
      return rooms.map((room) => [room.id, room])
    },
  }),
]
