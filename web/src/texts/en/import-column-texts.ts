import { translate } from '../language.ts'

const transforms = {
  none: 'as it is',
  lower: 'lower case',
  'date:dmy': 'date 31.12.2026',
  'date:mdy': 'date 12/31/2026',
  'number:eu': 'number 1.234,5',
  'split:;': 'split at ;',
  'split:,': 'split at ,',
}

export const importColumnTexts = translate('importColumnTexts', {
  group: 'Columns',
  nextColumn: 'Next column',
  previousColumn: 'Previous column',
  chooseField: 'Choose the field of the column',
  chooseChange: 'Choose how the values are changed',
  columns: 'Columns of the file',
  column: 'Column of the file',
  samples: 'Samples',
  fieldOf: { leads: 'Field of the lead', contacts: 'Field of the contact' },
  change: 'Change',
  letter: (letter: string) => `column ${letter}`,
  fits: 'Fits',
  toCheck: 'To look at',
  wrong: 'Problem',
  leaveOut: 'Do not import',
  usedBy: (letter: string) => `column ${letter}`,
  fieldFor: (column: string) => `Field for ${column}`,
  fieldOfColumn: (column: string, field: string) => `Field of ${column}: ${field}`,
  changeOfColumn: (column: string, change: string) => `Change of ${column}: ${change}`,
  transforms,
  listTransforms: { ...transforms, none: 'one item' },
  used: (used: string, count: number, total: string) =>
    `${used} of ${total} ${count === 1 ? 'column is' : 'columns are'} imported`,
  keys: { column: 'column', field: 'field', change: 'change', next: 'next' },
  side: 'Problems and preview',
  noProblems: 'All columns fit',
  toLookAt: (count: number) => (count === 1 ? '1 to look at' : `${count} to look at`),
  toFile: 'Read the file in another way',
  keep: (letter: string) => `Keep ${letter}`,
  matchByEmail: 'Find records by email',
  problems: {
    duplicate: {
      title: (field: string) => `${field} is chosen twice`,
      text: (columns: string) => `Columns ${columns}. One field takes one column.`,
      short: (field: string, columns: string) => `${field} is chosen twice: columns ${columns}.`,
    },
    nothing_mapped: { title: 'No column is imported', text: 'Choose a field for at least one column.' },
    nameless: {
      title: 'The records have no name',
      text: 'Choose a column for the last name, the email address or the phone number.',
    },
    unknown_field: {
      title: (field: string) => `The field ${field} does not exist any more`,
      text: 'Choose another field for the column.',
    },
    unmapped_match: {
      title: (field: string) => `${field} has no column`,
      text: 'Existing records are found by this field, so that it needs a column.',
    },
    unmatched: {
      title: 'Email has no column',
      text: 'Existing records are found by their email address. Without it, every row becomes a new record.',
    },
    ambiguous_dates: {
      title: (field: string) => `${field}: is the day or the month first?`,
      text: 'The days and months of all rows could be exchanged.',
    },
    unreadable: {
      title: (field: string) => `${field}: some values do not fit`,
      text: (field: string, count: number, checked: number) =>
        `${count} of ${checked} samples ${count === 1 ? 'is not a value' : 'are not values'} of ${field}.`,
      example: (text: string) => `For example: ${text}`,
      later: 'The check says which rows fail.',
    },
    repeated_keys: {
      title: 'Some addresses are in several rows',
      text: 'Rows with the same email address become one record.',
    },
    guessed_encoding: {
      title: 'Are all letters right?',
      text: 'The file does not say how it is written. Look at umlauts and accents in the samples.',
    },
  },
  preview: 'Preview',
  rowBecomes: (row: string) => `Row ${row} becomes`,
  rowOf: (row: string, count: string) => `${row} of ${count}`,
  previousRow: 'Previous row',
  nextRow: 'Next row',
  isNew: { leads: 'New lead', contacts: 'New contact' },
  noName: 'No name',
  twoValues: 'two values',
  from: (text: string) => `from ${text}`,
  fromOptions: 'from options',
  unreadable: (text: string) => `${text} does not fit`,
  nothingWritten: 'Nothing is written before step 5.',
})
