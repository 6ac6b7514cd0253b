import { dayAt } from '#platform/clock'
import type { Day } from './rule.rules.ts'
import type { Asker } from './vocabulary.rules.ts'

const oneDay = 86_400_000
/** No place has ever been further from UTC than this. */
const furthestOffset = 16 * 3_600_000

/** A span of calendar days, both ends included; an end that is missing is open. */
type Days = { from?: Day; through?: Day }

/** The same span in days of the calendar, as of when and where it is asked. */
export function calendarDays({ from, through }: Days, { now, timezone }: Asker) {
  const today = dayAt(now, timezone)
  const settle = (day: Day) => (typeof day === 'string' ? day : addDays(today, day.daysFromToday))
  return { from: from && settle(from), through: through && settle(through) }
}

/** The same span in instants, written as on the wire: from the first one on, up to but without the last one. */
export function instants(days: Days, asker: Asker) {
  const { from, through } = calendarDays(days, asker)
  return {
    since: from && startOfDay(from, asker.timezone),
    until: through && startOfDay(addDays(through, 1), asker.timezone),
  }
}

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * oneDay).toISOString().slice(0, 10)

/** Scoring asks for the same few days of thousands of records. */
const starts = new Map<string, string>()

function startOfDay(day: string, timezone: string): string {
  const key = `${timezone} ${day}`
  const known = starts.get(key)
  if (known) return known
  if (starts.size === 1_000) starts.clear()
  const start = searchStart(day, timezone)
  starts.set(key, start)
  return start
}

/**
 * The first instant of a day in a place. It is looked for instead of reckoned, because midnight may be skipped or come twice
 * where clocks change; and it is looked for here, so that a database with other time zone tables draws the same line.
 */
function searchStart(day: string, timezone: string): string {
  let before = Date.parse(day) - furthestOffset
  let after = Date.parse(day) + furthestOffset
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000
    if (dayAt(middle, timezone) < day) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}
