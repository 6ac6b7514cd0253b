import { translate } from '../language.ts'

const leads = (count: number, text: string) => `${text} ${count === 1 ? 'lead' : 'leads'}`

export const bulkTexts = translate('bulkTexts', {
  label: 'Selected leads',
  selected: (count: number, text: string) => `${leads(count, text)} selected`,
  selectMatching: 'Select all that match',
  selectTotal: (total: string) => `Select all ${total}`,
  clear: 'Clear the selection',
  assign: 'Assign',
  assignTitle: (count: number, text: string) => `Assign ${leads(count, text)} to`,
  status: 'Status',
  setStatus: 'Set the status of the selected leads',
  remove: 'Delete',
  working: 'Working…',
  done: {
    assign: (count: number, text: string) => `${leads(count, text)} assigned.`,
    set_status: (count: number, text: string) => `Status of ${leads(count, text)} set.`,
    delete: (count: number, text: string) => `${leads(count, text)} deleted.`,
    restore: (count: number, text: string) => `${leads(count, text)} restored.`,
  },
  undo: 'Undo',
  failedTitle: (failed: string, total: string) => `${failed} of ${total} leads were not changed`,
  selectFailed: 'Select these leads',
  close: 'Close',
  changedTitle: 'The selection has changed',
  changedText: (before: string, now: string) =>
    `${before} leads matched the filters when you selected them, now ${now} leads match.`,
  continue: (count: string) => `Continue with ${count}`,
  cancel: 'Cancel',
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
  confirmLarge: 'This runs in the background. You can undo it for 24 hours.',
  confirmSmall: 'All of these leads are changed at once.',
  typeNumber: (text: string) => `Type ${text} to confirm`,
})
