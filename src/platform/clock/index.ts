/** What time it is. Handed in wherever a decision depends on it, so that a test can move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export const secondsLater = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000)

export const daysLater = (from: Date, days: number): Date => secondsLater(from, days * 86_400)

const calendars = new Map<string, Intl.DateTimeFormat>()

/** The calendar day it is in a place. */
export function dayAt(instant: Date | number, timezone: string): string {
  const calendar = calendars.get(timezone) ?? calendarOf(timezone)
  return calendar.format(instant)
}

function calendarOf(timezone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...parts })
  calendars.set(timezone, calendar)
  return calendar
}
