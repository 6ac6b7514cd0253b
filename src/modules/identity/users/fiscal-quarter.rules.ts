/** First and last day of a period, both included. */
export type Period = { start_on: string; end_on: string }

/** The quarter a day lies in, when the year starts with the given month (1 to 12). */
export function fiscalQuarter(day: string, startMonth: number): Period {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const months = year * 12 + month - 1
  const first = months - ((((months - (startMonth - 1)) % 3) + 3) % 3)
  return { start_on: dayOf(first, 1), end_on: dayOf(first + 3, 0) }
}

/** Day 0 of a month is the last one of the month before. */
const dayOf = (months: number, day: number): string =>
  new Date(Date.UTC(Math.floor(months / 12), months % 12, day)).toISOString().slice(0, 10)
