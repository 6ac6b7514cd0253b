import type { TaskStatus } from '../api/tasks.ts'
import { taskTexts } from '../texts/en/task-texts.ts'
import { formatDuration } from '../ui/format.ts'

/** The number of records that the task could not change, if its result names one. */
export function countFailures({ result }: Pick<TaskStatus, 'result'>): number {
  const failed = typeof result === 'object' && result !== null && 'failed' in result ? result.failed : 0
  return typeof failed === 'number' ? failed : 0
}

const minElapsedMs = 5_000

/** The remaining time at the speed until now, as soon as that speed means something. */
export function estimateLeft(
  { progress: { done, total }, started_at: startedAt }: Pick<TaskStatus, 'progress' | 'started_at'>,
  now: number,
): string {
  if (startedAt === null || total === null || done === 0 || done >= total) return ''
  const elapsed = now - Date.parse(startedAt)
  if (elapsed < minElapsedMs) return ''
  const left = (elapsed / done) * (total - done)
  return ` · ${left < 60_000 ? taskTexts.almostDone : taskTexts.left(formatDuration(left))}`
}
