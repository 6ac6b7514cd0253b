import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { DayStarts } from './periods.rules.ts'

/** The first day that is counted from events, and its first instant. The numbers of earlier days were copied. */
export type CountedFrom = { counted_on: string; counted_from: Date }

/**
 * Lists the local days of the events. The database assigns events to these days, so that both use the same time zone data. Events
 * since `counted_from` belong to `counted_on` or later days and earlier events to earlier days, also in another time zone than
 * that of the copied numbers.
 */
export function listDayStarts(
  events: readonly { occurred_at: Date }[],
  timezone: string,
  counted: CountedFrom | null,
): DayStarts {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { occurred_at } of events) {
    const time = occurred_at.getTime()
    if (time < first) first = time
    if (time > last) last = time
  }
  const range = { from: dayInTimezone(first, timezone), to: dayInTimezone(last, timezone) }
  return counted ? listSplitDays(range, timezone, counted, { first, last }) : listAllDays(range, timezone)
}

function listAllDays({ from, to }: { from: string; to: string }, timezone: string): DayStarts {
  const result: DayStarts = { days: [], starts: [] }
  for (let day = from; day <= to; day = addDays(day, 1)) {
    result.days.push(day)
    result.starts.push(startOfDay(day, timezone))
  }
  return result
}

function listSplitDays(
  { from, to }: { from: string; to: string },
  timezone: string,
  { counted_on, counted_from }: CountedFrom,
  { first, last }: { first: number; last: number },
): DayStarts {
  const split = counted_from.getTime()
  const [before, after] = [addDays(counted_on, -1), addDays(counted_on, 1)]
  const all = listAllDays(
    { from: first < split && from > before ? before : from, to: last >= split && to < counted_on ? counted_on : to },
    timezone,
  )
  const result: DayStarts = { days: [], starts: [] }
  for (const [index, day] of all.days.entries()) {
    const start = all.starts[index]!
    const isKept = day >= after ? Date.parse(start) > split : day === counted_on || Date.parse(start) < split
    if (!isKept) continue
    result.days.push(day)
    result.starts.push(day === counted_on ? counted_from.toISOString() : start)
  }
  return result
}
