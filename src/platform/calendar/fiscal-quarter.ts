/** First and last day of a period, both included. */
export type Period = { start_on: string; end_on: string }

/** Returns the fiscal quarter of a day; the fiscal year starts in `startMonth` (1 to 12). */
export function fiscalQuarterOf(day: string, startMonth: number): Period {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const months = year * 12 + month - 1
  const firstMonth = months - ((((months - (startMonth - 1)) % 3) + 3) % 3)
  return { start_on: toDay(firstMonth, 1), end_on: toDay(firstMonth + 3, 0) }
}

/** Converts months since year 0 and a day of the month; day 0 is the last day of the previous month. */
const toDay = (months: number, day: number): string =>
  new Date(Date.UTC(Math.floor(months / 12), months % 12, day)).toISOString().slice(0, 10)
