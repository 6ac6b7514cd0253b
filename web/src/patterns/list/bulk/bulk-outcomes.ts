import type { TaskStatus } from '../../../api/tasks.ts'
import { formatNumber } from '../../../ui/format.ts'
import { textsOfTask } from './bulk-texts.ts'

const undoableMs = 24 * 60 * 60 * 1_000

/** Actions whose effects stay, because they are seen by the persons or by other areas. */
const finalActions: ReadonlySet<string> = new Set(['opt_out', 'add_to_campaign', 'enroll_cadence'])

export const isFinal = (action: string): boolean => finalActions.has(action)

type TaskResult = Partial<Record<'succeeded' | 'failed' | 'restored' | 'skipped', number>> & { action?: string }

export const resultOf = ({ result }: Pick<TaskStatus, 'result'>): TaskResult => (result ?? {}) as TaskResult

/** Whether the task changed records in a way that can be undone, within the time that the API allows. */
export function canUndoTask(status: TaskStatus | undefined, now: number): status is TaskStatus {
  if (!status?.kind.endsWith('.bulk') || status.finished_at === null) return false
  const { action = '', succeeded = 0 } = resultOf(status)
  const isOffered = Object.hasOwn(textsOfTask(status)?.done ?? {}, action)
  return succeeded > 0 && isOffered && !isFinal(action) && now < Date.parse(status.created_at) + undoableMs
}

/** Says how many records an undo restored, and why it skipped others; undefined for other tasks. */
export function describeUndo(status: Pick<TaskStatus, 'kind' | 'result'>, locale: string): string | undefined {
  const { restored, skipped = 0 } = resultOf(status)
  if (restored === undefined) return undefined
  return textsOfTask(status)?.restored(restored, formatNumber(restored, locale), skipped, formatNumber(skipped, locale))
}
