import { addDays, dayInTimezone, timestampAt, weekdayOf } from '#platform/calendar'
import { secondsLater } from '#platform/clock'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'

export type BusinessHours = Omit<CrmSettings['sla']['business_hours'], 'timezone'> & { timezone: string }

/** Bounds the search for schedules with very short business hours. */
const maxDays = 3_660

/** Calculates the response deadline. Time outside business hours does not count. */
export function calculateSlaDueAt(from: Date, minutes: number, hours: BusinessHours | null): Date {
  if (!hours) return secondsLater(from, minutes * 60)
  const holidays = new Set(hours.holidays)
  let remaining = minutes * 60_000
  let day = dayInTimezone(from.getTime(), hours.timezone)
  for (let dayCount = 0; dayCount < maxDays; dayCount++, day = addDays(day, 1)) {
    if (!hours.days.includes(weekdayOf(day)) || holidays.has(day)) continue
    const opens = Math.max(timestampAt(day, hours.start, hours.timezone), from.getTime())
    const closes = timestampAt(day, hours.end, hours.timezone)
    if (opens + remaining <= closes) return new Date(opens + remaining)
    remaining -= Math.max(0, closes - opens)
  }
  return new Date(timestampAt(day, hours.start, hours.timezone))
}

type GradedLead = { grade: string; created_at: Date }

export function deriveSlaDueAt(
  { grade, created_at }: GradedLead,
  { minutes, business_hours_only, business_hours }: CrmSettings['sla'],
  workspaceTimezone: string,
): Date {
  const timezone = business_hours.timezone ?? workspaceTimezone
  const hours = business_hours_only ? { ...business_hours, timezone } : null
  return calculateSlaDueAt(created_at, minutes[grade.toLowerCase() as 'a' | 'b' | 'c'], hours)
}

type SlaTimestamps = { sla_due_at: Date | null; sla_breached_at: Date | null; first_responded_at: Date | null }

/** A late response does not clear the breach. */
export function deriveSlaStatus({ sla_due_at, sla_breached_at, first_responded_at }: SlaTimestamps, now: Date) {
  if (sla_due_at === null) return 'none'
  if (first_responded_at !== null) return first_responded_at <= sla_due_at ? 'met' : 'breached'
  return sla_breached_at !== null || sla_due_at < now ? 'breached' : 'pending'
}
