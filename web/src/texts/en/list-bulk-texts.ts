import { translate } from '../language.ts'

/** Texts of the bulk actions of all lists. */
export const listBulkTexts = translate('listBulkTexts', {
  undo: 'Undo',
  clear: 'Clear the selection',
  selectMatching: 'Select all that match',
  working: 'Working…',
  close: 'Close',
  changedTitle: 'The selection has changed',
  continue: (count: string) => `Continue with ${count}`,
  cancel: 'Cancel',
  confirmLarge: 'This runs in the background. You can undo it for 24 hours.',
  confirmLargeFinal: 'This runs in the background. It cannot be undone.',
  nothingChanged: 'Nothing had to be changed.',
  typeNumber: (text: string) => `Type ${text} to confirm`,
})
