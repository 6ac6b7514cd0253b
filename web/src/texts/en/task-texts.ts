import { translate } from '../language.ts'

const leads = (count: number, text: string) => `${text} ${count === 1 ? 'lead' : 'leads'}`

export const taskTexts = translate('taskTexts', {
  progress: (done: string, total: string | null) => (total === null ? `${done} done` : `${done} of ${total}`),
  region: 'Tasks in progress',
  group: 'Tasks',
  waiting: 'Waiting',
  done: 'Done',
  failures: (count: string) => `${count} failed`,
  stopped: (message: string) => `Stopped: ${message}`,
  left: (duration: string) => `about ${duration} left`,
  almostDone: 'less than a minute left',
  restoring: (count: number, text: string) => `Restoring ${leads(count, text)}`,
  restored: (restored: number, restoredText: string, skipped: number, skippedText: string) => {
    const done = `${leads(restored, restoredText)} restored.`
    if (skipped === 0) return done
    return skipped === 1
      ? `${done} 1 lead was skipped because it could not be restored or was changed since.`
      : `${done} ${leads(skipped, skippedText)} were skipped because they could not be restored or were changed since.`
  },
  undo: 'Undo',
  undoTask: (label: string) => `Undo: ${label}`,
  cancel: 'Cancel',
  cancelTask: (label: string) => `Cancel: ${label}`,
  canceling: 'Canceling',
  dismiss: 'Dismiss',
  dismissTask: (label: string) => `Dismiss: ${label}`,
  canceled: 'The task was canceled.',
})
