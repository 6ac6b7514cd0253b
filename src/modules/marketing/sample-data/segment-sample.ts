import type { SampleData, Services } from '#platform/module'
import { refreshSegmentCount } from '../segments/segment-counts/segment-counts.jobs.ts'
import { createSegment } from '../segments/segments/create-segment.service.ts'
import { deleteSampleSegments } from '../segments/segments/sample-segments.service.ts'
import { findSegmentIdByName } from '../segments/segments/segments.queries.ts'
import { sampleSegments } from './sample-segments.ts'

export const segmentSample = (services: Pick<Services, 'registry'>): SampleData => ({
  name: 'segments',
  plan: ({ now }) =>
    sampleSegments.map(({ key, author, ...segment }) => ({
      author,
      async run(tx, actor) {
        const isTaken = (await findSegmentIdByName(tx, segment.object_type, segment.name)) !== undefined
        const input = { ...segment, name: isTaken ? `${segment.name} (sample)` : segment.name }
        const context = { ...services, clock: { now: () => now } }
        const { id } = await createSegment(tx, actor, input, context)
        await refreshSegmentCount(tx, id, context)
        return [{ key, resource_type: 'segment', id }]
      },
    })),
  async remove({ inTenant }, records) {
    const ids = records.filter(({ resource_type }) => resource_type === 'segment').map(({ id }) => id)
    const kept = await inTenant((tx) => deleteSampleSegments(tx, ids))
    return kept.map((id) => ({ resource_type: 'segment', id }))
  },
})
