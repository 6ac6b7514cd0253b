import { invalid } from '#platform/errors'
import { addDays } from '../rules/days.rules.ts'

/** First and last day, both included. */
export type Span = { from: string; to: string }
export type Granularity = 'day' | 'week' | 'month'

const usualDays = 90
const longestDays = 730

/** The days that are asked about: the last 90 unless said otherwise. */
export function spanOf({ from, to }: Partial<Span>, today: string): Span {
  const last = to ?? (from !== undefined && from > today ? from : today)
  const first = from ?? addDays(last, 1 - usualDays)
  assertOrder(first, last)
  if (last >= addDays(first, longestDays))
    throw invalid('query', '/to', 'range', `Ask for at most ${longestDays} days.`)
  return { from: first, to: last }
}

export function assertOrder(from: string, to: string): void {
  if (from > to) throw invalid('query', '/to', 'order', 'to is not before from.')
}

/** The days up to today, and as many before them. */
export function periodsOf(days: number, today: string): { current: Span; previous: Span } {
  const from = addDays(today, 1 - days)
  return { current: { from, to: today }, previous: { from: addDays(from, -days), to: addDays(from, -1) } }
}

/** The day a stretch begins with: the day itself, the Monday of its week, or the first of its month. */
export function bucketOf(day: string, granularity: Granularity): string {
  if (granularity === 'month') return `${day.slice(0, 7)}-01`
  return granularity === 'day' ? day : addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
}

/** All stretches that touch a span, so that those in which nothing happened are not missing. */
export function bucketsIn({ from, to }: Span, granularity: Granularity): string[] {
  const buckets: string[] = []
  for (let bucket = bucketOf(from, granularity); bucket <= to; bucket = next(bucket, granularity)) buckets.push(bucket)
  return buckets
}

function next(bucket: string, granularity: Granularity): string {
  if (granularity === 'month') return bucketOf(addDays(bucket, 31), 'month')
  return addDays(bucket, granularity === 'week' ? 7 : 1)
}
