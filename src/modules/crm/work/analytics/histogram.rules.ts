import type { DurationMetric } from './rollup-columns.rules.ts'

// Log-scale histogram: 8 buckets per doubling from 1 s to about 4 years (error at most 1/8).
// The same scale is in the database function `crm.duration_bucket`, and bucket numbers are stored.
const doublings = 27
const bucketsPerDoubling = 8

/** Lower limit of each bucket in milliseconds; shorter durations are in bucket 0. */
export const bucketThresholds: readonly number[] = Array.from(
  { length: doublings * bucketsPerDoubling },
  (_, index) => {
    const [doubling, part] = [Math.floor(index / bucketsPerDoubling), index % bucketsPerDoubling]
    return 125 * 2 ** doubling * (bucketsPerDoubling + part)
  },
)

/** Returns the inclusive lower and exclusive upper limit. The last bucket is open, so its width is assumed. */
export function bucketLimits(bucket: number): { from: number; until: number } {
  const from = bucket === 0 ? 0 : bucketThresholds[bucket - 1]!
  return { from, until: bucketThresholds[bucket] ?? from * 2 }
}

/** Buckets that contain a percentile, `before` durations in lower ones, and `n` of `total` in them; `ms` is null if `n` is too large. */
export type PercentileRow = {
  metric: DurationMetric
  q: number
  buckets: number[]
  before: number
  n: number
  total: number
  ms: number | null
}

/** Returns the exact percentile, or an estimate: linear within its bucket, or between two buckets with nothing between them. */
export function percentileOf({ q, buckets, before, n, total, ms }: PercentileRow): number {
  if (ms !== null) return ms
  const [first, last] = [bucketLimits(buckets[0]!), bucketLimits(buckets.at(-1)!)]
  if (buckets.length === 1) return first.from + ((first.until - first.from) * (q * total - before)) / n
  const rank = q * (total - 1)
  return first.until + (last.from - first.until) * (rank - Math.floor(rank))
}
