import type { Segment } from '../segment-queries.ts'
import { storedCount } from './dynamic-segment.tsx'
import { SegmentActions } from './segment-actions.tsx'
import { SegmentFrame } from './segment-frame.tsx'

export const StaticSegment = ({ segment }: { segment: Segment }) => (
  <SegmentFrame
    segment={segment}
    count={storedCount(segment)}
    actions={<SegmentActions segment={segment} isDirty={false} />}
  />
)
