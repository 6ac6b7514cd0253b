/** A Monday. */
const firstDay = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** The name of a day of the week; 1 is Monday. */
export const weekdayName = (day: number, locale: string, style: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' }).format(firstDay + (day - 1) * dayMs)
