import { translate } from '../language.ts'

type Outcome = 'created' | 'updated' | 'skipped' | 'failed' | 'warnings'

const rows = (count: number, text: string) => `${text} ${count === 1 ? 'row' : 'rows'}`

const notes: Readonly<Record<string, string>> = {
  'updated update_empty': 'empty fields filled only',
  'updated update': 'values replaced',
  'skipped skip': 'existing records stay as they are',
  failed: 'not imported',
  warnings: 'not all as in the file',
}

/** The label of the field takes the place of the name. */
const reasons: Readonly<Record<string, (field: string) => string>> = {
  email: (field) => `${field} is not an email address`,
  date: (field) => `${field} is not a date`,
  number: (field) => `${field} is not a number`,
  boolean: (field) => `${field} is not yes or no`,
  maxLength: (field) => `${field} is too long`,
  ambiguous_match: () => 'Matches several records',
  column_count: () => 'Has more cells than the header',
  invalid_character: () => 'Has characters that cannot be stored',
  erased: () => 'The data of the person was erased',
  suppressed: () => 'Stays unsubscribed',
  basis_required: () => 'Is not subscribed without consent',
  converted: () => 'The lead was converted to a contact',
  enum: (field) => `${field} is not one of the options`,
  unknown_value: (field) => `${field} is unknown and was left out`,
}

export const importCheckTexts = translate('importCheckTexts', {
  checking: (count: number, text: string) => `Checking ${rows(count, text)}`,
  checkingNote: 'You can leave this page. The list of imports leads back here.',
  willHappen: (count: number, text: string) =>
    count === 1 ? 'What happens to the row?' : `What happens to the ${rows(count, text)}?`,
  hasHappened: (count: number, text: string) =>
    count === 1 ? 'What happened to the row?' : `What happened to the ${rows(count, text)}?`,
  checkedAt: (time: string) => `checked ${time}`,
  chooseOutcome: 'choose an outcome to see its rows',
  outcomes: {
    leads: {
      created: 'New leads',
      updated: 'Changed',
      skipped: 'Skipped',
      failed: 'Failed',
      warnings: 'With a warning',
    },
    contacts: {
      created: 'New contacts',
      updated: 'Changed',
      skipped: 'Skipped',
      failed: 'Failed',
      warnings: 'With a warning',
    },
  },
  note: (outcome: Outcome, onMatch: string): string => notes[`${outcome} ${onMatch}`] ?? notes[outcome] ?? '',
  why: {
    failed: 'Why do rows fail?',
    skipped: 'Why are rows skipped?',
    warnings: 'What are the warnings?',
    kept: 'Why are records kept?',
  },
  allReasons: 'All',
  noReason: 'The record exists already',
  reason: (code: string, field: string): string | undefined => reasons[code]?.(field),
  ofFirst: (count: string) => `Of the first ${count} rows.`,
  fixInFile: 'Fix the rows in errors.csv and import that file after this one.',
  rows: 'Rows',
  row: 'Row',
  rowCount: (count: number, text: string) => rows(count, text),
  what: 'What is wrong',
  blank: 'blank',
  noRows: 'No row has this outcome.',
  moreRows: (count: number, text: string) => (count === 1 ? '1 more row' : `${text} more rows`),
  loadMore: 'Load more rows',
  openRecord: (row: string) => `Open the record of row ${row}`,
  kept: {
    deleted: 'It was deleted before.',
    edited: 'It was changed after the import.',
    not_allowed: 'You may not delete it.',
    activity: 'People worked on it.',
    email: 'An email was sent to the person.',
    deal: 'It has a deal.',
    rejected: 'Its former values are not valid any more.',
  },
})
