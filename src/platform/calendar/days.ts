/** First and last calendar day (`YYYY-MM-DD`), both included. */
export type DateRange = { from: string; to: string }

const dayMs = 86_400_000

/** Adds days to a calendar day (`YYYY-MM-DD`); negative numbers go back. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** Returns the weekday of a calendar day; 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the calendar day (`YYYY-MM-DD`) of an instant in a time zone. */
export function dayInTimezone(instant: Date | number, timezone: string): string {
  const format = formats.get(timezone) ?? createFormat(timezone)
  return format.format(instant)
}

function createFormat(timezone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...parts })
  formats.set(timezone, format)
  return format
}

/** Cached because scoring needs the same few days for thousands of records. */
const starts = new Map<string, string>()
const maxCachedStarts = 1_000

/** Returns the first instant of a calendar day in a time zone as an ISO string. */
export function startOfDay(day: string, timezone: string): string {
  const key = `${timezone} ${day}`
  const cached = starts.get(key)
  if (cached) return cached
  if (starts.size === maxCachedStarts) starts.clear()
  const start = findStartOfDay(day, timezone)
  starts.set(key, start)
  return start
}

type LocalNow = { now: Date; timezone: string }

export const startOfDaysAgo = (days: number, { now, timezone }: LocalNow): string =>
  startOfDay(addDays(dayInTimezone(now, timezone), -days), timezone)

type OpenRange = { from?: string | undefined; through?: string | undefined }

/** Converts calendar days to instants as ISO strings; `until` is exclusive. */
export const toInstantRange = ({ from, through }: OpenRange, timezone: string) => ({
  since: from && startOfDay(from, timezone),
  until: through && startOfDay(addDays(through, 1), timezone),
})

const maxUtcOffsetMs = 16 * 3_600_000

/** Binary search, because a clock change may skip or repeat midnight. Not in SQL, whose time zone data may differ. */
function findStartOfDay(day: string, timezone: string): string {
  let before = Date.parse(day) - maxUtcOffsetMs
  let after = Date.parse(day) + maxUtcOffsetMs
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000
    if (dayInTimezone(middle, timezone) < day) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}
