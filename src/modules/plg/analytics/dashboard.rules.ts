import { addDays, type DateRange } from '#platform/calendar'
import { addPeriods, type Granularity, listPeriods, startOfPeriod } from '../usage-store/periods.rules.ts'
import type { DayNumbers, GrowthCounts } from '../usage-store/usage-store.ts'
import type { ActivePeople, Growth, PeriodKey } from './dashboard.schemas.ts'

const bucketOf: Record<PeriodKey, Granularity> = {
  '7d': 'day',
  '14d': 'day',
  '30d': 'week',
  '90d': 'week',
  '180d': 'month',
  '365d': 'month',
}

export type DashboardPeriod = {
  days: number
  bucket: Granularity
  range: DateRange
  /** Ends yesterday, so that a day that is not over never looks like a decline. */
  complete: DateRange
  previous: DateRange
  known: DateRange
  /** The first one is only compared with. */
  buckets: DateRange[]
}

export function planPeriod(key: PeriodKey, today: string): DashboardPeriod {
  const days = Number.parseInt(key, 10)
  const bucket = bucketOf[key]
  const from = addDays(today, 1 - days)
  const compared = addPeriods(startOfPeriod(from, bucket), bucket, -1)
  const firstNeeded = addDays(today, -days - Math.max(days, 30))
  const count = countPeriods(compared, today, bucket)
  return {
    days,
    bucket,
    range: { from, to: today },
    complete: { from: addDays(today, -days), to: addDays(today, -1) },
    previous: { from: addDays(today, -2 * days), to: addDays(today, -days - 1) },
    known: { from: firstNeeded, to: today },
    buckets: listPeriods(today, bucket, count),
  }
}

function countPeriods(start: string, today: string, bucket: Granularity): number {
  let count = 0
  for (let current = start; current <= today; current = addPeriods(current, bucket, 1)) count++
  return count
}

export const lastDays = (today: string, days: number): DateRange => ({ from: addDays(today, 1 - days), to: today })

export function sumOf(
  numbers: readonly DayNumbers[],
  field: 'active' | 'new_actors' | 'events',
  range: DateRange,
): number {
  let total = 0
  for (const entry of numbers) if (entry.day >= range.from && entry.day <= range.to) total += entry[field]
  return total
}

export const rateOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

export const changeRateOf = (current: number, previous: number): number | null => rateOf(current - previous, previous)

type DistinctCounts = { wau: number; mau: number }

export function activeOn(
  day: string,
  numbers: readonly DayNumbers[],
  days: number,
  { wau, mau }: DistinctCounts,
): ActivePeople {
  return {
    dau: sumOf(numbers, 'active', lastDays(day, 1)),
    dau_average: sumOf(numbers, 'active', lastDays(day, days)) / days,
    wau,
    mau,
    stickiness_rate: rateOf(sumOf(numbers, 'active', lastDays(day, 30)), 30 * mau),
  }
}

export const toGrowth = (buckets: readonly DateRange[], counts: readonly GrowthCounts[], today: string): Growth[] =>
  counts.map((counted, index) => {
    const { from, to } = buckets[index + 1]!
    const complete = to < today
    const { active, new: added, retained } = counted
    const resurrected = active - added - retained
    const churned = complete ? counted.churned : null
    const quick_ratio = churned ? (added + resurrected) / churned : null
    return { bucket_start_on: from, active, new: added, retained, resurrected, churned, quick_ratio, complete }
  })
