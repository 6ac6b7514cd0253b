import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { comparedPeriods, resolveDateRange, trendBucketsIn } from './date-range.rules.ts'
import { bucketLimits, bucketThresholds, percentileOf } from './histogram.rules.ts'
import {
  calculateFairness,
  calculateRoi,
  compareCounts,
  divideMinorUnits,
  rateOf,
  withinSlaRate,
} from './metrics.rules.ts'

test('rates have four decimals and are null if the whole is 0', () => {
  assert.equal(withinSlaRate({ within_sla_n: 6, late_n: 2, overdue_n: 1 }), 0.6667)
  assert.deepEqual([rateOf(1, 0), rateOf(0, 5), rateOf(80, 200)], [null, 0, 0.4])
  assert.deepEqual(compareCounts(50, 40), { current: 50, previous: 40, change_rate: 0.25 })
  assert.deepEqual(compareCounts(30, 40).change_rate, -0.25)
})

test('ROI and cost per lead are null without cost or leads', () => {
  assert.equal(calculateRoi(1_000_000n, 400_000n), 1.5)
  assert.equal(calculateRoi(0n, 400_000n), -1)
  assert.equal(calculateRoi(5n, 0n), null)
  assert.deepEqual(
    [divideMinorUnits(400_000n, 80), divideMinorUnits(1n, 2), divideMinorUnits(1n, 0)],
    [5_000n, 1n, null],
  )
})

test('fairness is null for empty and all-zero lists and perfect for a single owner', () => {
  assert.deepEqual(calculateFairness([10, 10, 10, 30]), { jain: 0.75, gini: 0.25 })
  assert.deepEqual(calculateFairness([]), { jain: null, gini: null })
  assert.deepEqual(calculateFairness([7]), { jain: 1, gini: 0 })
  assert.deepEqual(calculateFairness([0]), { jain: 1, gini: 0 })
  assert.deepEqual(calculateFairness([0, 0]), { jain: null, gini: null })
  assert.deepEqual(calculateFairness([5, 5, 5]), { jain: 1, gini: 0 })
})

test('the Gini coefficient equals the mean difference of all pairs', () => {
  const shares = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(shares, (all) => {
      const sum = all.reduce((total, one) => total + one, 0)
      fc.pre(sum > 0)
      const pairs = all.flatMap((one) => all.map((other) => Math.abs(one - other)))
      const expected = pairs.reduce((total, one) => total + one, 0) / (2 * all.length * sum)
      assert.ok(Math.abs(calculateFairness(all).gini! - expected) <= 0.0001)
    }),
  )
})

test('histogram buckets are contiguous, and each upper limit is at most an eighth above the lower one', () => {
  for (let bucket = 1; bucket < bucketThresholds.length; bucket++) {
    const { from, until } = bucketLimits(bucket)
    assert.ok(from < until && until <= from * 1.125, `bucket ${bucket}`)
    assert.equal(bucketLimits(bucket - 1).until, from)
  }
  assert.deepEqual(
    [bucketLimits(0), bucketLimits(1)],
    [
      { from: 0, until: 1_000 },
      { from: 1_000, until: 1_125 },
    ],
  )
})

test('a percentile estimated from a histogram is off by an eighth at most', () => {
  const times = fc.array(fc.integer({ min: 1_000, max: 10_000_000 }), { minLength: 1, maxLength: 60 })
  const bucketOf = (ms: number) => bucketThresholds.findLastIndex((threshold) => threshold <= ms) + 1
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.9), (all, q) => {
      const sorted = all.toSorted((one, other) => one - other)
      const rank = q * (all.length - 1)
      const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!]
      const buckets = [...new Set([bucketOf(low), bucketOf(high)])]
      const before = all.filter((ms) => bucketOf(ms) < buckets[0]!).length
      const n = all.filter((ms) => buckets.includes(bucketOf(ms))).length

      const row = { metric: 'response', q, buckets, before, n, total: all.length } as const
      const estimate = percentileOf({ ...row, ms: null })

      assert.ok(estimate >= low / 1.126 && estimate <= high * 1.126, `${estimate} between ${low} and ${high}`)
      assert.equal(percentileOf({ ...row, ms: 5 }), 5)
    }),
  )
})

test('date ranges default to 90 days, and periods and trend buckets follow from them', () => {
  assert.deepEqual(resolveDateRange({}, '2026-03-31'), { from: '2026-01-01', to: '2026-03-31' })
  assert.deepEqual(resolveDateRange({ from: '2026-03-30' }, '2026-03-31'), { from: '2026-03-30', to: '2026-03-31' })
  assert.deepEqual(resolveDateRange({ from: '2026-04-02' }, '2026-03-31'), { from: '2026-04-02', to: '2026-04-02' })
  assert.deepEqual(comparedPeriods(30, '2026-03-31'), {
    current: { from: '2026-03-02', to: '2026-03-31' },
    previous: { from: '2026-01-31', to: '2026-03-01' },
  })
  assert.deepEqual(trendBucketsIn({ from: '2026-03-08', to: '2026-03-09' }, 'week'), ['2026-03-02', '2026-03-09'])
  assert.equal(trendBucketsIn({ from: '2024-01-31', to: '2024-03-01' }, 'month').length, 3)
})
