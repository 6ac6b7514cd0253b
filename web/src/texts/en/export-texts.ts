import { translate } from '../language.ts'

export const exportTexts = translate('exportTexts', {
  menu: 'Files',
  importRecords: { leads: 'Import leads', contacts: 'Import contacts', accounts: 'Import accounts' },
  title: { leads: 'Export leads', contacts: 'Export contacts', accounts: 'Export accounts' },
  counting: 'Counting the records …',
  text: {
    leads: (count: number, text: string) => `${text} ${count === 1 ? 'lead' : 'leads'}, as the list is filtered.`,
    contacts: (count: number, text: string) =>
      `${text} ${count === 1 ? 'contact' : 'contacts'}, as the list is filtered.`,
    accounts: (count: number, text: string) =>
      `${text} ${count === 1 ? 'account' : 'accounts'}, as the list is filtered.`,
  },
  columns: 'Columns',
  allColumns: 'All columns',
  allColumnsText: 'With the own fields of the workspace.',
  chosenColumns: 'Chosen columns',
  chosenColumnsText: (count: number) =>
    count === 1 ? '1 column, first that of the list.' : `${count} columns, first those of the list.`,
  format: 'Format',
  formats: {
    csv: { label: 'CSV', description: 'For spreadsheets, and for imports.' },
    jsonl: { label: 'JSON lines', description: 'For programs: one object per line.' },
  },
  submit: 'Export',
  submitCount: (text: string) => `Export ${text}`,
  tooMany: 'You have started ten exports in 24 hours. Try again later.',
  task: {
    leads: (count: number, text: string) => `Exporting ${text} ${count === 1 ? 'lead' : 'leads'}`,
    contacts: (count: number, text: string) => `Exporting ${text} ${count === 1 ? 'contact' : 'contacts'}`,
    accounts: (count: number, text: string) => `Exporting ${text} ${count === 1 ? 'account' : 'accounts'}`,
  },
  download: 'Download',
  downloadFile: (label: string) => `Download: ${label}`,
  expired: 'The file was deleted. Files of exports are kept for 24 hours.',
})
