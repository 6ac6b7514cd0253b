import type { TextsOf } from './texts.ts'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const formatTexts: TextsOf<'formatTexts'> = {
  minutes: (minutes) => `${minutes} Min.`,
  hours: (hours) => `${hours} Std.`,
  hoursAndMinutes: (hours, minutes) => `${hours} Std. ${minutes} Min.`,
  days: (days) => plural(days, 'Tag', 'Tage'),
  now: 'jetzt',
  today: 'Heute',
  yesterday: 'Gestern',
  ago: {
    minutes: (minutes) => `vor ${minutes} Min.`,
    hours: (hours) => `vor ${hours} Std.`,
    days: (days) => `vor ${plural(days, 'Tag', 'Tagen')}`,
  },
}
