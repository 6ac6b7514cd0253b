import { addDays, dayInTimezone, weekdayOf } from '#platform/calendar'

const weeks = 26

/** Returns the Mondays of the last weeks, oldest first. */
export function listWeeks(now: Date, timezone: string): string[] {
  const today = dayInTimezone(now, timezone)
  const monday = addDays(today, 1 - weekdayOf(today))
  return Array.from({ length: weeks }, (_, index) => addDays(monday, 7 * (index + 1 - weeks)))
}
