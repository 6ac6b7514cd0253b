import { timestampAt } from '#platform/calendar'

/** Sums are by UTC month, so the deals closed between the starts of the first month in UTC and in the time zone are added or subtracted. */
export type ClosedPeriod = { sinceMonth: string; sign: 1 | -1; from: Date; to: Date }

export function toClosedPeriod(sinceMonth: string, timezone: string): ClosedPeriod {
  const [utc, local] = [timestampAt(sinceMonth, '00:00', 'UTC'), timestampAt(sinceMonth, '00:00', timezone)]
  return local < utc
    ? { sinceMonth, sign: 1, from: new Date(local), to: new Date(utc) }
    : { sinceMonth, sign: -1, from: new Date(utc), to: new Date(local) }
}
