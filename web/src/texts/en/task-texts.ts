import { translate } from '../language.ts'

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
  undo: 'Undo',
  undoTask: (label: string) => `Undo: ${label}`,
  cancel: 'Cancel',
  cancelTask: (label: string) => `Cancel: ${label}`,
  canceling: 'Canceling',
  dismiss: 'Dismiss',
  dismissTask: (label: string) => `Dismiss: ${label}`,
  canceled: 'The task was canceled.',
})
