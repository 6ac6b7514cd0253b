import { translate } from '../language.ts'

export const formatTexts = translate('formatTexts', {
  minutes: (minutes: number) => `${minutes} min`,
  hours: (hours: number) => `${hours} h`,
  hoursAndMinutes: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  days: (days: number) => `${days} d`,
  now: 'now',
  today: 'Today',
  yesterday: 'Yesterday',
  ago: {
    minutes: (minutes: number) => `${minutes} min ago`,
    hours: (hours: number) => `${hours} h ago`,
    days: (days: number) => `${days} d ago`,
  },
})
