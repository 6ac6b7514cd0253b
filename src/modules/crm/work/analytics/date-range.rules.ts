import { addDays, type DateRange, weekdayOf } from '#platform/calendar'
import { invalid } from '#platform/errors'
import { assertDateOrder } from '../../records/filters/list-filter.rules.ts'

export type Granularity = 'day' | 'week' | 'month'

const defaultDays = 90
const maxDays = 730

export function resolveDateRange({ from, to }: Partial<DateRange>, today: string): DateRange {
  const last = to ?? (from !== undefined && from > today ? from : today)
  const first = from ?? addDays(last, 1 - defaultDays)
  assertDateOrder(first, last)
  if (last >= addDays(first, maxDays))
    throw invalid('query', '/to', 'range', `The date range must not exceed ${maxDays} days.`)
  return { from: first, to: last }
}

export function comparedPeriods(days: number, today: string): { current: DateRange; previous: DateRange } {
  const from = addDays(today, 1 - days)
  return { current: { from, to: today }, previous: { from: addDays(from, -days), to: addDays(from, -1) } }
}

/** Returns the first day of the bucket: the day itself, the Monday of its week, or the first of its month. */
export function trendBucketOf(day: string, granularity: Granularity): string {
  if (granularity === 'month') return `${day.slice(0, 7)}-01`
  return granularity === 'day' ? day : addDays(day, 1 - weekdayOf(day))
}

export function trendBucketsIn({ from, to }: DateRange, granularity: Granularity): string[] {
  const buckets: string[] = []
  for (let bucket = trendBucketOf(from, granularity); bucket <= to; bucket = nextBucket(bucket, granularity))
    buckets.push(bucket)
  return buckets
}

function nextBucket(bucket: string, granularity: Granularity): string {
  if (granularity === 'month') return trendBucketOf(addDays(bucket, 31), 'month')
  return addDays(bucket, granularity === 'week' ? 7 : 1)
}
