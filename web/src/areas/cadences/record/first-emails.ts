import type { WeekWindow } from '../../../patterns/schedule-picker/describe-window.ts'

type Now = {
  /** Day of the week; 1 is Monday. */
  weekday: number
  /** Such as `09:30`. */
  time: string
}

type Plan = {
  /** People whose next step is an email that is due. */
  people: number
  dailyLimit: number
  window: WeekWindow
  now: Now
}

/** The highest number of emails that leave today, their first time, and the number of those that wait. */
export type FirstEmails = {
  today: number
  /** The time at which sending starts today; undefined if it starts now. */
  from?: string
  later: number
  /** The next day of the window, if nothing leaves today. */
  nextDay?: number
}

export function planFirstEmails({ people, dailyLimit, window, now }: Plan): FirstEmails {
  const { days, start, end } = window
  if (!days.includes(now.weekday) || now.time >= end) {
    const nextDay = [1, 2, 3, 4, 5, 6, 7]
      .map((after) => ((now.weekday - 1 + after) % 7) + 1)
      .find((day) => days.includes(day))
    return { today: 0, later: people, nextDay }
  }
  const today = Math.min(people, dailyLimit)
  return { today, later: people - today, ...(now.time < start && { from: start }) }
}

/** The day of the week and the time in a zone. */
export function nowIn(timeZone: string, at: number): Now {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(at)
  const read = (type: string) => parts.find((part) => part.type === type)!.value
  const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(read('weekday')) + 1
  return { weekday, time: `${read('hour')}:${read('minute')}` }
}
