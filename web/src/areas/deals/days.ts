import { toLocalDate } from '../../ui/format.ts'

/** The calendar day a number of days from now, in the form of a date field. */
export function dayFromToday(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() + days)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`
}

const nearMs = 300 * 24 * 60 * 60_000

/** A day without its year, unless it is so far away that the year would be unclear. */
export function formatDay(day: string, locale: string): string {
  const date = toLocalDate(day)
  const isNear = Math.abs(date.getTime() - Date.now()) < nearMs
  const year = isNear ? undefined : 'numeric'
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year }).format(date)
}
