import { translate } from '../language.ts'

const rows = (count: number, text: string) => `${text} ${count === 1 ? 'row' : 'rows'}`
const areIn = (count: number) => (count === 1 ? 'is' : 'are')

export const importRunTexts = translate('importRunTexts', {
  running: 'Import is running',
  undoing: 'Import is being undone',
  rowsDone: (done: string, total: string) => `${done} of ${total} rows`,
  counts: (created: string, updated: string, failed: string) => `${created} new, ${updated} changed, ${failed} failed`,
  undoCounts: (undone: string, kept: string) => `${undone} undone, ${kept} kept`,
  stop: 'Stop',
  leave: 'You can leave this page. The task strip shows the end.',
  show: { leads: 'Show leads', contacts: 'Show contacts' },
  undo: (count: string) => `Undo ${count}`,
  backToColumns: 'Back to columns',
  importCorrected: 'Import the corrected rows',
  done: {
    leads: (count: number, text: string) => `${text} ${count === 1 ? 'lead' : 'leads'} ${areIn(count)} in`,
    contacts: (count: number, text: string) => `${text} ${count === 1 ? 'contact' : 'contacts'} ${areIn(count)} in`,
  },
  ended: (created: string, updated: string, failed: number, failedText: string) =>
    `${created} new, ${updated} changed. ${failed === 0 ? 'No row failed.' : `${rows(failed, failedText)} failed.`}`,
  stoppedAfter: (count: number, text: string) => `Stopped after ${rows(count, text)}`,
  stoppedText: (left: string) => `What was imported stays. ${left} rows were not read.`,
  stoppedEarly: 'Nothing was imported. File and columns are kept.',
  undone: (undone: string, kept: number, keptText: string) =>
    kept === 0 ? `${undone} rows are undone` : `${undone} rows are undone, ${keptText} kept`,
  undoneText: 'New records are in the trash, changed ones have their old values.',
  keptText: 'Records are kept if people worked on them after the import. The others have their old values.',
  keptRows: 'Kept records',
  failedTitle: (code: string): string =>
    code === 'too_many_failures' ? 'Stopped: more than half of the rows failed' : 'The import has failed',
  failedRows: (failed: string, done: string) =>
    `${failed} of the first ${done} rows failed. File and columns are kept.`,
  failedText: 'File and columns are kept.',
  undoFirst: (count: string) => `Undo ${count} and correct the columns`,
  undoTitle: (count: number, text: string) => `Undo the import of ${rows(count, text)}?`,
  undoText: {
    leads: (created: number, createdText: string, updated: number, updatedText: string) =>
      `${createdText} new ${created === 1 ? 'lead is' : 'leads are'} deleted, ${updatedText} changed ${updated === 1 ? 'one gets its' : 'ones get their'} old values.`,
    contacts: (created: number, createdText: string, updated: number, updatedText: string) =>
      `${createdText} new ${created === 1 ? 'contact is' : 'contacts are'} deleted, ${updatedText} changed ${updated === 1 ? 'one gets its' : 'ones get their'} old values.`,
  },
  undoKeeps: 'Records that were edited since, or that people worked on, are kept.',
  cancel: 'Cancel',
})
