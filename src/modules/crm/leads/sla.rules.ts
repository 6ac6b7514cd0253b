import { dayAt, secondsLater } from '#platform/clock'
import { addDays } from '../rules/days.rules.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'

/** Business hours with the time zone they are meant in. */
export type Hours = Omit<CrmSettings['sla']['business_hours'], 'timezone'> & { timezone: string }

/** Even the shortest hours end the search some day. */
const furthestDays = 3_660

/** When a lead must have been answered. Outside business hours the clock stands still, if there are any. */
export function slaDueAt(from: Date, minutes: number, hours: Hours | null): Date {
  if (!hours) return secondsLater(from, minutes * 60)
  const holidays = new Set(hours.holidays)
  let left = minutes * 60_000
  let day = dayAt(from.getTime(), hours.timezone)
  for (let walked = 0; walked < furthestDays; walked++, day = addDays(day, 1)) {
    if (!hours.days.includes(weekdayOf(day)) || holidays.has(day)) continue
    const opens = Math.max(instantOf(day, hours.start, hours.timezone), from.getTime())
    const closes = instantOf(day, hours.end, hours.timezone)
    if (opens + left <= closes) return new Date(opens + left)
    left -= Math.max(0, closes - opens)
  }
  return new Date(instantOf(day, hours.start, hours.timezone))
}

type Clocked = { sla_due_at: Date | null; sla_breached_at: Date | null; first_responded_at: Date | null }

/** An answer that came late does not undo that it was late. */
export function slaStatus({ sla_due_at, sla_breached_at, first_responded_at }: Clocked, now: Date) {
  if (sla_due_at === null) return 'none'
  if (first_responded_at !== null) return first_responded_at <= sla_due_at ? 'met' : 'breached'
  return sla_breached_at !== null || sla_due_at < now ? 'breached' : 'pending'
}

/** 1 is Monday. */
const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7

/** The instant a wall clock shows this time. Where the clock skips it, the one it shows instead. */
function instantOf(day: string, time: string, timezone: string): number {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const guess = wall - offsetAt(wall, timezone)
  return wall - offsetAt(guess, timezone)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timezone, clock)
  return clock
}

/** How far the wall clock is ahead of UTC. */
function offsetAt(instant: number, timezone: string): number {
  const whole = Math.floor(instant / 1_000) * 1_000
  return Date.parse(`${clockOf(timezone).format(whole).replace(' ', 'T')}Z`) - whole
}
