import { definePresenter } from '#platform/module'
import { toSegmentSummaries } from './segment-details.service.ts'
import { listSegmentsByIds } from './segments.queries.ts'
import { SegmentSummary } from './segments.schemas.ts'

export const segmentPresenter = definePresenter({
  subjectType: 'segment',
  schema: SegmentSummary,
  async list(tx, ids) {
    const segments = await toSegmentSummaries(tx, await listSegmentsByIds(tx, ids))
    return segments.map((segment) => [segment.id, segment])
  },
})
