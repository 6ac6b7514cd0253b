import type { TextsOf } from './texts.ts'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const formatTexts: TextsOf<'formatTexts'> = {
  minutes: (minutes) => `${minutes} min`,
  hours: (hours) => `${hours} h`,
  hoursAndMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
  days: (days) => plural(days, 'Tag', 'Tage'),
  now: 'jetzt',
  today: 'Heute',
  yesterday: 'Gestern',
  ago: {
    minutes: (minutes) => `vor ${minutes} min`,
    hours: (hours) => `vor ${hours} h`,
    days: (days) => `vor ${plural(days, 'Tag', 'Tagen')}`,
  },
}
