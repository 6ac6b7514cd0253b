import type { TaskStatus } from '../api/tasks.ts'
import { bulkTexts } from '../texts/en/lead-bulk-texts.ts'
import { taskTexts } from '../texts/en/task-texts.ts'
import { formatNumber } from '../ui/format.ts'

const undoableMs = 24 * 60 * 60 * 1_000

type TaskResult = Partial<Record<'succeeded' | 'failed' | 'restored' | 'skipped', number>> & { action?: string }

export const resultOf = ({ result }: Pick<TaskStatus, 'result'>): TaskResult => (result ?? {}) as TaskResult

export const changesLeads = ({ kind }: Pick<TaskStatus, 'kind'>): boolean =>
  kind === 'leads.bulk' || kind === 'leads.bulk_undo'

/** Whether the task changed leads in a way that can be undone, within the time that the API allows. */
export function canUndoTask(status: TaskStatus | undefined, now: number): status is TaskStatus {
  if (status?.kind !== 'leads.bulk' || status.finished_at === null) return false
  const { action = '', succeeded = 0 } = resultOf(status)
  return succeeded > 0 && Object.hasOwn(bulkTexts.done, action) && now < Date.parse(status.created_at) + undoableMs
}

/** Says how many leads an undo restored, and why it skipped others; undefined for other tasks. */
export function describeUndo(status: Pick<TaskStatus, 'result'>, locale: string): string | undefined {
  const { restored, skipped = 0 } = resultOf(status)
  if (restored === undefined) return undefined
  return taskTexts.restored(restored, formatNumber(restored, locale), skipped, formatNumber(skipped, locale))
}
