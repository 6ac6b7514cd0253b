import { roomDeleted, roomUpdated } from '#events/rooms'
import { repeatUntilEmpty } from '#platform/db'
import { conflict } from '#platform/errors'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { deleteThreadRowsOfRoom, hasThreads } from './room-threads.queries.ts'

/** Rejects another type for a room with threads, because they would no longer be found. */
export const onRoomTypeChanged = subscribe(
  roomUpdated,
  'community.keep_room_type',
  async (tx, { subject: { id }, data: { changed } }) => {
    if (changed.includes('room_type') && (await hasThreads(tx, id)))
      throw conflict('conflict', '`room_type` cannot change while the room has threads. Delete them first.')
  },
  { inTransaction: true },
)

const deleteRoomThreadsJob = defineJob('community.delete_room_threads', 'events', strict({ room_id: Id }))

export const onRoomDeleted = subscribe(
  roomDeleted,
  'community.delete_room_threads',
  async (tx, { subject: { id } }) => {
    if (await hasThreads(tx, id)) await enqueue(tx, deleteRoomThreadsJob, { room_id: id })
  },
)

/** Threads of a deleted room are not found anyway; deleting them keeps lists fast and lets them be purged. */
export const deleteRoomThreadsHandler = defineJobHandler(
  deleteRoomThreadsJob,
  async ({ inTenant, signal }, { room_id }) => {
    await repeatUntilEmpty(() => inTenant((tx) => deleteThreadRowsOfRoom(tx, room_id)), signal)
  },
)
