import { translate } from '../language.ts'

export const scheduleTexts = translate('scheduleTexts', {
  start: 'From',
  end: 'Until',
  order: 'The end must be after the start.',
  noDay: 'Choose at least one day.',
  everyDay: 'every day',
  range: (first: string, last: string) => `${first} to ${last}`,
})
