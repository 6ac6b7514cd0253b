import { dismissTask, startTracking } from '../../../api/tasks.ts'
import { listBulkTexts } from '../../../texts/en/list-bulk-texts.ts'
import { stateTexts } from '../../../texts/en/state-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { removeToastsAbout, showToast } from '../../../ui/toasts.ts'
import { showRepeatableProblem } from '../../show-problem.ts'
import type { BulkKind } from './bulk-kind.ts'
import { canUndoTask, describeUndo, resultOf } from './bulk-outcomes.ts'

/** Follows a bulk action on every page, reports its end and offers to undo it. */
export async function trackBulkTask(
  kind: BulkKind,
  taskId: string,
  { action, label, locale }: { action: string; label: string; locale: string },
): Promise<void> {
  const { texts } = kind
  const status = await startTracking(taskId, label)
  const { succeeded = 0, failed = 0 } = resultOf(status)
  const sentences = [
    (succeeded > 0 || status.state === 'succeeded') && texts.done[action]?.(succeeded, formatNumber(succeeded, locale)),
    status.state === 'failed' && (status.error?.message ?? texts.taskEnded.failed),
    status.state === 'cancelled' && texts.taskEnded.cancelled,
    failed > 0 && texts.taskFailures(failed, formatNumber(failed, locale)),
  ]
  const undo = { label: listBulkTexts.undo, run: () => void undoTask(kind, taskId, locale) }
  showToast(sentences.filter(Boolean).join(' '), {
    tone: status.state === 'failed' ? 'failed' : 'done',
    action: canUndoTask(status, Date.now()) ? undo : undefined,
    subject: taskId,
  })
}

const undoneTasks = new Set<string>()

/** Undoes a bulk action with a task of its own, which replaces it below the page. */
export async function undoTask(kind: BulkKind, taskId: string, locale: string): Promise<void> {
  if (undoneTasks.has(taskId)) return
  undoneTasks.add(taskId)
  removeToastsAbout(taskId)
  try {
    const { task_id, total } = await kind.undo(taskId)
    dismissTask(taskId)
    const status = await startTracking(task_id, kind.texts.restoring(total, formatNumber(total, locale)))
    const text = describeUndo(status, locale) ?? kind.texts.taskEnded.failed
    if (status.state === 'succeeded') return showToast(text)
    undoneTasks.delete(taskId)
    const repeat = { label: stateTexts.retry, run: () => void undoTask(kind, taskId, locale) }
    showToast(text, { tone: 'failed', action: repeat })
  } catch (error) {
    undoneTasks.delete(taskId)
    showRepeatableProblem(error, () => void undoTask(kind, taskId, locale))
  }
}
