import { daysLater } from '#platform/clock'
import { deleteUnlessReferenced, type TenantTx } from '#platform/db'
import type { IntegrityRun, RecordReference, SampleData, SampleStep, Services } from '#platform/module'
import { createRoomItem } from '../room-items/room-items.service.ts'
import { createPlanStep } from '../room-plan/room-plan.service.ts'
import { deleteRoomRow } from '../room-records/rooms.queries.ts'
import { createRoom } from '../rooms/create-room.service.ts'
import { updateRoom } from '../rooms/update-room.service.ts'
import { lockSampleRooms } from './remove-sample.queries.ts'

const sampleRooms = [
  { key: 'room:1', account: 'account:1', name: 'Evaluation room', side: 'buyer' },
  { key: 'room:2', account: 'account:2', name: 'Onboarding room', side: 'seller' },
] as const
const communityDays = 30
const libraryDays = 400
const libraryContent = ['content:1', 'content:4']

export const roomSample = (services: Services): SampleData => ({
  name: 'rooms',
  plan: ({ now }) => [
    ...sampleRooms.map((room) => roomStep(services, room, now)),
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

function roomStep({ secrets }: Services, planned: (typeof sampleRooms)[number], now: Date): SampleStep {
  const context = { secrets, clock: { now: () => now } }
  return {
    author: 'user:2',
    async run(tx, actor, idOf) {
      const fields = { name: planned.name, account_id: idOf(planned.account), welcome: 'Everything for your project.' }
      const { id } = await createRoom(tx, actor, fields, context)
      const text = { kind: 'text', title: 'Welcome', body: 'Here are the next steps and the documents.' } as const
      await createRoomItem(tx, actor, id, text)
      await createPlanStep(tx, actor, id, { title: 'Kick-off meeting', side: planned.side }, context)
      await updateRoom(tx, actor, id, { changes: { status: 'active' } }, context)
      return [{ key: planned.key, resource_type: 'room', id }]
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
