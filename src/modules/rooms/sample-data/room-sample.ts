import { daysLater } from '#platform/clock'
import { deleteUnlessReferenced, type TenantTx } from '#platform/db'
import type { IntegrityRun, RecordReference, SampleData, SampleStep, Services } from '#platform/module'
import { createRoomItem } from '../items/items.service.ts'
import { deleteRoomRow } from '../records/rooms.queries.ts'
import { createRoom } from '../rooms/create-room.service.ts'
import { updateRoom } from '../rooms/update-room.service.ts'
import { createSampleRoom } from './create-sample-room.service.ts'
import { createSampleVisits } from './create-sample-visits.service.ts'
import { type PlannedVisit, planVisits } from './plan-visits.rules.ts'
import { lockSampleRooms } from './remove-sample.queries.ts'
import type { SampleRoom } from './sample-room.ts'
import { sampleRooms } from './sample-rooms.ts'

const communityDays = 30
const libraryDays = 400
const libraryContent = ['content:1', 'content:4']

export const roomSample = (services: Services): SampleData => ({
  name: 'rooms',
  plan: ({ random, now }) => [
    ...sampleRooms.map((room) => roomStep(services, room, planVisits(room, random, now), now)),
    communityRoomStep(services, daysLater(now, -communityDays)),
    libraryRoomStep(services, daysLater(now, -libraryDays)),
  ],
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const roomIds = records.filter(({ resource_type }) => resource_type === 'room').map(({ id }) => id)
    return await inTenant((tx) => removeSampleRooms(tx, roomIds))
  },
})

/** Everything of a room is deleted with it. Rooms with threads of users are kept. */
async function removeSampleRooms(tx: TenantTx, roomIds: readonly string[]): Promise<RecordReference[]> {
  const kept: RecordReference[] = []
  for (const id of await lockSampleRooms(tx, roomIds))
    if (!(await deleteUnlessReferenced(tx, () => deleteRoomRow(tx, id)))) kept.push({ resource_type: 'room', id })
  return kept
}

/** A smaller load has fewer deals, so some rooms are left out. */
function roomStep(services: Services, room: SampleRoom, visits: readonly PlannedVisit[], now: Date): SampleStep {
  return {
    ...(room.author && { author: room.author }),
    async run(tx, actor, idOf) {
      const created = await createSampleRoom({ tx, actor, idOf, services, now }, room, visits)
      if (!created) return []
      await createSampleVisits({ tx, idOf, now }, created, visits)
      return [{ key: room.key, resource_type: 'room', id: created.id }]
    },
  }
}

/** The sample data of the module community adds the threads. */
function communityRoomStep({ secrets }: Services, createdAt: Date): SampleStep {
  const context = { secrets, clock: { now: () => createdAt } }
  return {
    author: 'user:1',
    async run(tx, actor) {
      const { id } = await createRoom(tx, actor, { name: 'Sales community', room_type: 'community' }, context)
      await updateRoom(tx, actor, id, { changes: { status: 'active' } }, context)
      return [{ key: 'room:3', resource_type: 'room', id }]
    },
  }
}

/** The sample data of insights adds the visits of buyers. */
function libraryRoomStep({ secrets }: Services, createdAt: Date): SampleStep {
  const context = { secrets, clock: { now: () => createdAt } }
  return {
    author: 'user:2',
    async run(tx, actor, idOf) {
      const { id } = await createRoom(tx, actor, { name: 'Library for buyers' }, context)
      for (const key of libraryContent) await createRoomItem(tx, actor, id, { content_item_id: idOf(key) })
      await updateRoom(tx, actor, id, { changes: { status: 'active' } }, context)
      return [{ key: 'room:4', resource_type: 'room', id }]
    },
  }
}
