import { translate } from '../language.ts'

export const chartTexts = translate('chartTexts', {
  table: 'Table',
  notOver: 'not over',
  unfinished: (period: string) => `${period}, not over`,
  keys: 'The arrow keys move between the values.',
  keysWithRecords: 'The arrow keys move between the values, Enter shows their records.',
  asOf: (window: string, time: string, zone: string) => `${window} · as of ${time}, ${zone}`,
})
