import { addDays, dayInTimezone, weekdayOf } from './days.ts'
import { addLocalDays, timestampAt } from './time-zones.ts'

/** Weekly hours; 1 is Monday, times are `HH:MM`, and `end` may be `24:00`. Holidays are calendar days (`YYYY-MM-DD`). */
export type BusinessHours = {
  timezone: string
  days: readonly number[]
  start: string
  end: string
  holidays: readonly string[]
}

/** Bounds the search for schedules with very short business hours. */
const maxDays = 3_660

export const isBusinessDay = (day: string, { days, holidays }: Pick<BusinessHours, 'days' | 'holidays'>): boolean =>
  days.includes(weekdayOf(day)) && !holidays.includes(day)

export function addBusinessMinutes(from: Date, minutes: number, hours: BusinessHours): Date {
  let remaining = minutes * 60_000
  for (const { opens, closes } of listOpenPeriods(from, hours)) {
    if (opens + remaining <= closes) return new Date(opens + remaining)
    remaining -= Math.max(0, closes - opens)
  }
  return lastDayOfSearch(from, hours)
}

/** Returns the first instant inside business hours at or after `instant`; the end of a day is not inside. */
export function nextBusinessTime(instant: Date, hours: BusinessHours): Date {
  for (const { opens, closes } of listOpenPeriods(instant, hours)) if (opens < closes) return new Date(opens)
  return lastDayOfSearch(instant, hours)
}

/** Adds business days and keeps the local time. The day of `instant` itself does not count. */
export function addBusinessDays(
  instant: Date,
  businessDays: number,
  hours: Omit<BusinessHours, 'start' | 'end'>,
): Date {
  const first = dayInTimezone(instant, hours.timezone)
  let remaining = businessDays
  let days = 0
  while (remaining > 0 && days < maxDays) if (isBusinessDay(addDays(first, ++days), hours)) remaining--
  return addLocalDays(instant, days, hours.timezone)
}

function* listOpenPeriods(from: Date, hours: BusinessHours) {
  const { timezone, start, end } = hours
  let day = dayInTimezone(from, timezone)
  for (let dayCount = 0; dayCount < maxDays; dayCount++, day = addDays(day, 1)) {
    if (!isBusinessDay(day, hours)) continue
    const opens = Math.max(timestampAt(day, start, timezone), from.getTime())
    yield { opens, closes: timestampAt(day, end, timezone) }
  }
}

const lastDayOfSearch = (from: Date, { timezone, start }: BusinessHours): Date =>
  new Date(timestampAt(addDays(dayInTimezone(from, timezone), maxDays), start, timezone))
