import { api, read } from '../api/client.ts'
import { dismissTask, startTracking } from '../api/tasks.ts'
import { bulkTexts } from '../texts/en/lead-bulk-texts.ts'
import { stateTexts } from '../texts/en/state-texts.ts'
import { taskTexts } from '../texts/en/task-texts.ts'
import { formatNumber } from '../ui/format.ts'
import { removeToastsAbout, showToast } from '../ui/toasts.ts'
import { canUndoTask, describeUndo, resultOf } from './bulk-outcomes.ts'
import { showRepeatableProblem } from './show-problem.ts'

type DoneAction = keyof typeof bulkTexts.done

/** Follows a bulk action on every page, reports its end and offers to undo it. */
export async function trackBulkTask(taskId: string, action: DoneAction, label: string, locale: string): Promise<void> {
  const status = await startTracking(taskId, label)
  const { succeeded = 0, failed = 0 } = resultOf(status)
  const sentences = [
    (succeeded > 0 || status.state === 'succeeded') &&
      bulkTexts.done[action](succeeded, formatNumber(succeeded, locale)),
    status.state === 'failed' && (status.error?.message ?? bulkTexts.taskEnded.failed),
    status.state === 'cancelled' && bulkTexts.taskEnded.cancelled,
    failed > 0 && bulkTexts.taskFailures(failed, formatNumber(failed, locale)),
  ]
  const undo = { label: bulkTexts.undo, run: () => void undoTask(taskId, locale) }
  showToast(sentences.filter(Boolean).join(' '), {
    tone: status.state === 'failed' ? 'failed' : 'done',
    action: canUndoTask(status, Date.now()) ? undo : undefined,
    subject: taskId,
  })
}

const undoneTasks = new Set<string>()

/** Undoes a bulk action with a task of its own, which replaces it below the page. */
export async function undoTask(taskId: string, locale: string): Promise<void> {
  if (undoneTasks.has(taskId)) return
  undoneTasks.add(taskId)
  removeToastsAbout(taskId)
  try {
    const params = { path: { task_id: taskId } }
    const { task_id, total } = await read(api.POST('/api/leads/bulk/{task_id}/undo', { params }))
    dismissTask(taskId)
    const status = await startTracking(task_id, taskTexts.restoring(total, formatNumber(total, locale)))
    const text = describeUndo(status, locale) ?? bulkTexts.taskEnded.failed
    if (status.state === 'succeeded') return showToast(text)
    undoneTasks.delete(taskId)
    const repeat = { label: stateTexts.retry, run: () => void undoTask(taskId, locale) }
    showToast(text, { tone: 'failed', action: repeat })
  } catch (error) {
    undoneTasks.delete(taskId)
    showRepeatableProblem(error, () => void undoTask(taskId, locale))
  }
}
