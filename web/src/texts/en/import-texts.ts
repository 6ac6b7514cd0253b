import { translate } from '../language.ts'

const rows = (count: number, text: string) => `${text} ${count === 1 ? 'row' : 'rows'}`

const at = (row: string) => (row === '' ? 'A row' : `Row ${row}`)

/** Sentences for files that cannot be read, with the number of the row. */
const uploadProblems: Readonly<Record<string, (row: string) => string>> = {
  too_large: () => 'It is larger than 50 MB.',
  storage_quota_exceeded: () => 'The storage of the workspace is full.',
  unsupported_media_type: () => 'It is not a CSV file. Save spreadsheets as CSV first.',
  no_rows: () => 'It needs the names of the columns and at least one row.',
  too_many_rows: () => 'It has more than 200,000 rows.',
  too_many_columns: () => 'It has more than 200 columns.',
  cell_too_long: (row) => `${at(row)} has a cell with too many characters.`,
  row_too_long: (row) => `${at(row)} has too many characters. A closing quote may be missing.`,
  invalid_encoding: (row) => `${at(row)} is not valid in this encoding. Choose another one.`,
  unclosed_quote: (row) => `${at(row)} has a quote that is not closed.`,
  invalid_quote: (row) => `${at(row)} has a quote inside a cell that must be written twice.`,
}

export const importTexts = translate('importTexts', {
  area: 'imports',
  list: 'Imports',
  title: 'Import',
  newTitle: { leads: 'Import leads', contacts: 'Import contacts' },
  kinds: { leads: 'Leads', contacts: 'Contacts' },
  part: 'The import',
  goneTitle: 'This import does not exist',
  goneText: 'Imports of others are shown to managers only.',
  steps: { file: 'File', columns: 'Columns', options: 'Options', check: 'Check', import: 'Import' },
  back: 'Back',
  facts: (count: number, text: string, encoding: string, delimiter: string) =>
    `${rows(count, text)} · ${encoding} · ${delimiter}`,
  delimiters: { comma: 'comma', semicolon: 'semicolon', tab: 'tab', pipe: 'vertical bar' },
  states: {
    uploaded: 'Not checked',
    mapped: 'Not checked',
    checked: 'Checked, nothing written',
    checking: 'Being checked',
    running: 'Running',
    completed: 'Done',
    failed: 'Failed',
    cancelled: 'Stopped',
    undoing: 'Being undone',
    undone: 'Undone',
  },
  blocked: (count: number) => (count === 1 ? 'Fix the red problem first.' : `Fix the ${count} red problems first.`),
  notSaved: 'The columns and options were not saved.',
  toColumns: 'To the columns',
  checkAgain: 'Check again',
  changedSince: 'Columns or options were changed after this check.',
  noRowsToImport: 'No row can be imported.',
  importRows: (count: number, text: string) => `Import ${rows(count, text)}`,
  tasks: {
    run: {
      leads: (count: number, text: string) => `Importing ${text} ${count === 1 ? 'lead' : 'leads'}`,
      contacts: (count: number, text: string) => `Importing ${text} ${count === 1 ? 'contact' : 'contacts'}`,
    },
    undo: {
      leads: (count: number, text: string) => `Undoing the import of ${text} ${count === 1 ? 'lead' : 'leads'}`,
      contacts: (count: number, text: string) =>
        `Undoing the import of ${text} ${count === 1 ? 'contact' : 'contacts'}`,
    },
  },
  changedElsewhere: 'The import was changed in another window. This is its state now.',
  drop: 'Drop a CSV file here, or',
  dropHint: 'up to 50 MB and 200,000 rows, with the names of the columns in the first row',
  kindTitle: 'What is in the file?',
  fileTitle: 'The file',
  fileFields: { rows: 'Rows', columns: 'Columns', encoding: 'Encoding', delimiter: 'Between the cells' },
  firstRows: 'The first rows',
  noSamples: 'The rows were deleted. Rows are kept for 30 days.',
  readTitle: 'Are letters wrong, or is all text in one column?',
  readAgain: 'Read the file again',
  readHint: 'Choose how the file is written, then the file.',
  detected: (value: string) => `as it is now: ${value}`,
  otherFile: 'Drop another file here, or',
  otherHint: 'Columns of the same name keep their fields, and the options stay.',
  uploadFailed: 'The file was not uploaded.',
  uploadProblem: (code: string, row: string): string | undefined => uploadProblems[code]?.(row),
  nothingWritten: 'Nothing is written before the last step.',
  history: {
    new: 'New import',
    columns: { file: 'File', kind: 'Kind', state: 'State', rows: 'Rows', result: 'Result', when: 'When' },
    all: 'All',
    list: 'Imports',
    part: 'The imports',
    empty: 'No imports yet',
    emptyText: 'A CSV file brings leads or contacts in. It is checked before anything is written.',
    ownHint: 'You see your own imports.',
    counts: (created: string, updated: string, failed: string) =>
      `${created} new, ${updated} changed, ${failed} failed`,
    undone: (undone: string, kept: string) => `${undone} undone, ${kept} kept`,
    group: 'Imports',
  },
})
