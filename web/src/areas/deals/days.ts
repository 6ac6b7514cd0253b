const dayMs = 24 * 60 * 60_000

export const daysOver = ({ kind, close_on }: { kind: string; close_on: string }, today: string): number =>
  kind === 'open' ? Math.max(0, (Date.parse(today) - Date.parse(close_on)) / dayMs) : 0

const nearMs = 300 * 24 * 60 * 60_000

/** A day without its year, unless it is so far away that the year would be unclear. */
export function formatDay(day: string, locale: string): string {
  const at = Date.parse(day)
  const year = Math.abs(at - Date.now()) < nearMs ? undefined : 'numeric'
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year, timeZone: 'UTC' }).format(at)
}
