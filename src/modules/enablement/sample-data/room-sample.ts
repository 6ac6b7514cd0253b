import type { IntegrityRun, RecordReference, SampleData, SampleStep, Services } from '#platform/module'
import { createRoomItem } from '../room-items/room-items.service.ts'
import { createPlanStep } from '../room-plan/room-plan.service.ts'
import { createRoom } from '../rooms/create-room.service.ts'
import { updateRoom } from '../rooms/update-room.service.ts'
import { deleteSampleRooms } from './remove-sample.queries.ts'

const sampleRooms = [
  { key: 'room:1', account: 'account:1', name: 'Evaluation room', side: 'buyer' },
  { key: 'room:2', account: 'account:2', name: 'Onboarding room', side: 'seller' },
] as const

export const roomSample = (services: Services): SampleData => ({
  name: 'rooms',
  plan: ({ now }) => sampleRooms.map((room) => roomStep(services, room, now)),
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    await inTenant((tx) =>
      deleteSampleRooms(
        tx,
        records.map(({ id }) => id),
      ),
    )
    return []
  },
})

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
