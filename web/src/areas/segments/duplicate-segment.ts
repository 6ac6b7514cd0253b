import { isProblem } from '../../api/problem.ts'
import { startTracking } from '../../api/tasks.ts'
import { showRepeatableProblem } from '../../patterns/show-problem.ts'
import { segmentTexts as texts } from '../../texts/en/segment-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { createSegment, type NewSegment, refreshMembers, type SegmentRow, storeSegment } from './segment-queries.ts'

const maxName = 150
const maxAttempts = 20

/** Creates a segment with the same rule, or a list of the same members. The copy belongs to the user. */
export async function duplicateSegment(segment: SegmentRow): Promise<{ id: string } | undefined> {
  const { id, object_type, description, kind, rules } = segment
  const copied: Omit<NewSegment, 'name'> =
    kind === 'dynamic'
      ? { object_type, description, rules: rules ?? { all: [] } }
      : { object_type, description, kind, rules: { fact: 'segment', segment_id: id } }
  for (let number = 1; number <= maxAttempts; number++)
    try {
      const name = texts.copyOf(segment.name, number).slice(0, maxName)
      const { task_id, ...copy } = await createSegment({ ...copied, name }, crypto.randomUUID())
      storeSegment(copy)
      showToast(texts.duplicated(copy.name))
      if (task_id) void startTracking(task_id, texts.fix.task(copy.name)).then(() => refreshMembers(copy.id))
      return copy
    } catch (error) {
      if (isProblem(error, 'already_exists') && number < maxAttempts) continue
      showRepeatableProblem(error, () => void duplicateSegment(segment))
      return undefined
    }
}
