import type { TextsOf } from './texts.ts'

export const scheduleTexts: TextsOf<'scheduleTexts'> = {
  start: 'Von',
  end: 'Bis',
  order: 'Das Ende muss nach dem Anfang liegen.',
  noDay: 'Wählen Sie mindestens einen Tag.',
  everyDay: 'jeden Tag',
  range: (first, last) => `${first} bis ${last}`,
}
