// Log-scale histogram: 8 buckets per doubling from 1 s to about 4 years (error at most 1/8).
// Rollups store bucket numbers, so a change of the scale requires rebuilding all days.
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

export type HistogramBucket = { bucket: number; n: number }

export function quantile(q: number, buckets: readonly HistogramBucket[]): number | null {
  const sorted = buckets.toSorted((one, other) => one.bucket - other.bucket)
  const total = sorted.reduce((sum, { n }) => sum + n, 0)
  const rank = q * total
  let before = 0
  for (const { bucket, n } of sorted) {
    if (n > 0 && before + n >= rank) {
      const { from, until } = bucketLimits(bucket)
      return from + ((until - from) * (rank - before)) / n
    }
    before += n
  }
  return null
}
