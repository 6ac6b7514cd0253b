export type Period = { from?: string; to?: string }

/** The days of a period filter, such as `7d` or `2026-06-01..2026-06-07`. `today` is the day in the zone of the workspace. */
export function parsePeriod(period: string | undefined, today: string): Period {
  if (!period) return {}
  if (period.endsWith('d')) return { from: daysBefore(today, Number.parseInt(period, 10) - 1) }
  const [from, to] = period.split('..')
  return { ...(from && { from }), ...(to && { to }) }
}

function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10)
}
