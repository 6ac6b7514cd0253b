import { dayInTimezone } from '#platform/calendar'
import type { HourlyUsage } from '#platform/usage'

const hourMs = 3_600_000

/** Sums hours to days in the time zone of the workspace. */
export function toUsageDays(hours: readonly HourlyUsage[], timezone: string) {
  const byDay = Map.groupBy(hours, ({ hour }) => dayInTimezone(hour, timezone))
  return [...byDay].map(([on, usage]) => ({
    on,
    api_requests: sumOf(usage, 'api_requests'),
    api_errors: sumOf(usage, 'api_errors'),
    emails_sent: sumOf(usage, 'emails_sent'),
    ai_tokens: sumOf(usage, 'ai_tokens'),
  }))
}

export function countRecentJobs(hours: readonly HourlyUsage[], now: Date) {
  const recent = hours.filter(({ hour }) => now.getTime() - hour.getTime() < 24 * hourMs)
  return { succeeded: sumOf(recent, 'jobs_succeeded'), failed: sumOf(recent, 'jobs_failed') }
}

const sumOf = (hours: readonly HourlyUsage[], kind: Exclude<keyof HourlyUsage, 'hour'>): number =>
  hours.reduce((total, usage) => total + usage[kind], 0)
