import { translate } from '../language.ts'

const leads = (count: number, text: string) => `${text} ${count === 1 ? 'lead' : 'leads'}`

export const bulkTexts = translate('bulkTexts', {
  label: 'Selected leads',
  selected: (count: number, text: string) => `${leads(count, text)} selected`,
  assign: 'Assign',
  assignTitle: (count: number, text: string) => `Assign ${leads(count, text)} to`,
  status: 'Status',
  setStatus: 'Set the status of the selected leads',
  remove: 'Delete',
  done: {
    assign: (count: number, text: string) => `${leads(count, text)} assigned.`,
    set_status: (count: number, text: string) => `Status of ${leads(count, text)} set.`,
    delete: (count: number, text: string) => `${leads(count, text)} deleted.`,
    restore: (count: number, text: string) => `${leads(count, text)} restored.`,
  },
  failedTitle: (failed: string, total: string) => `${failed} of ${total} leads were not changed`,
  selectFailed: 'Select these leads',
  changedText: (before: string, now: string) =>
    `${before} leads matched the filters when you selected them, now ${now} leads match.`,
  tasks: {
    assign: (total: string) => `Assigning ${total} leads`,
    set_status: (total: string) => `Setting the status of ${total} leads`,
    delete: (total: string) => `Deleting ${total} leads`,
    restore: (total: string) => `Restoring ${total} leads`,
  },
  taskEnded: {
    failed: 'The change of the leads has failed.',
    cancelled: 'The change of the leads was canceled.',
  },
  taskFailures: (count: number, text: string) => `${leads(count, text)} ${count === 1 ? 'was' : 'were'} not changed.`,
  confirm: {
    assign: (count: number, text: string, owner: string) => `Assign ${leads(count, text)} to ${owner}`,
    set_status: (count: number, text: string, status: string) => `Set the status of ${leads(count, text)} to ${status}`,
    delete: (count: number, text: string) => `Delete ${leads(count, text)}`,
    restore: (count: number, text: string) => `Restore ${leads(count, text)}`,
  },
  confirmSmall: 'All of these leads are changed at once.',
  restoring: (count: number, text: string) => `Restoring ${leads(count, text)}`,
  restored: (restored: number, restoredText: string, skipped: number, skippedText: string) => {
    const done = `${leads(restored, restoredText)} restored.`
    if (skipped === 0) return done
    return skipped === 1
      ? `${done} 1 lead was skipped because it could not be restored or was changed since.`
      : `${done} ${leads(skipped, skippedText)} were skipped because they could not be restored or were changed since.`
  },
})
