import { definePresenter } from '#platform/module'
import { canReadRoom } from './rooms/room-access.rules.ts'
import { readRoomAccesses } from './rooms/room-access.service.ts'
import { presentThreads } from './threads/present-threads.service.ts'
import { listVisibleThreadsByIds } from './threads/threads.queries.ts'
import { Thread } from './threads/threads.schemas.ts'

/** The subject of events about replies is the thread. Threads of drafts are not sent to other systems. */
export const communityPresenters = [
  definePresenter({
    subjectType: 'community',
    schema: Thread,
    async list(tx, ids) {
      const { accessById } = await readRoomAccesses(tx, null)
      const accessOf = ({ room_id }: { room_id: string }) => accessById.get(room_id)!
      const threads = (await listVisibleThreadsByIds(tx, ids)).filter((thread) => canReadRoom(accessOf(thread)))
      return (await presentThreads(tx, null, threads, accessOf)).map((thread) => [thread.id, thread])
    },
  }),
]
