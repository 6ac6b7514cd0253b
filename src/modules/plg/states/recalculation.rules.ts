import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { CountedFrom } from '../usage-store/day-starts.rules.ts'

type KeptHistory = {
  timezone: string
  counted_on: string | null
  counted_from: Date | null
  /** Events before this instant may be deleted. */
  purged_until: Date | null
}

/** Returns where a rebuild begins to count events. Earlier days keep their numbers, because some of their events were deleted. */
export function planCountedFrom({ timezone, counted_on, counted_from, purged_until }: KeptHistory): CountedFrom | null {
  if (purged_until === null) return null
  if (counted_on !== null && counted_from !== null && purged_until <= counted_from) return { counted_on, counted_from }
  let day = dayInTimezone(purged_until, timezone)
  const isWhole = () => Date.parse(startOfDay(day, timezone)) >= purged_until.getTime()
  while (!isWhole() || (counted_on !== null && day <= counted_on)) day = addDays(day, 1)
  return { counted_on: day, counted_from: new Date(startOfDay(day, timezone)) }
}
