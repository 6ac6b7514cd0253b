import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wilsonLowerBound } from '../../../platform/statistics/statistics.ts'
import { classifyDecay, pageDropoff, trendRate } from './analytics.rules.ts'

test('the lower bound of the win rate grows with the number of deals', () => {
  assert.deepEqual(
    [wilsonLowerBound(8, 10), wilsonLowerBound(1, 1), wilsonLowerBound(30, 50), wilsonLowerBound(0, 0)],
    [0.4902, 0.2065, 0.4618, null],
  )
})

test('the trend compares the last 28 days with those before', () => {
  assert.deepEqual(
    [trendRate({ views28d: 12, viewsPrev28d: 10 }), trendRate({ views28d: 3, viewsPrev28d: 0 })],
    [0.2, 3],
  )
})

test('an item is new, dormant, rising, falling or steady, checked in this order', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const decay = (publishedDaysAgo: number, viewedDaysAgo: number | null, views28d: number, viewsPrev28d: number) =>
    classifyDecay(
      {
        publishedAt: daysAgo(publishedDaysAgo),
        lastViewedAt: viewedDaysAgo === null ? null : daysAgo(viewedDaysAgo),
        views28d,
        viewsPrev28d,
      },
      now,
    )

  assert.equal(decay(27, 100, 12, 10), 'new')
  assert.equal(decay(100, 91, 0, 0), 'dormant')
  assert.equal(decay(100, null, 0, 0), 'dormant')
  assert.equal(decay(100, 1, 12, 10), 'rising')
  assert.equal(decay(100, 1, 9, 5), 'steady')
  assert.equal(decay(100, 1, 7, 10), 'falling')
  assert.equal(decay(100, 1, 5, 9), 'steady')
  assert.equal(decay(100, 1, 10, 10), 'steady')
})

test('pages that were skipped are shown with those that were read', () => {
  const reads = [
    { page: 1, views: 3, average_seconds: 20 },
    { page: 3, views: 2, average_seconds: null },
  ]

  assert.deepEqual(pageDropoff(reads, 4), [
    { page: 1, reach_rate: 0.75, average_seconds: 20 },
    { page: 2, reach_rate: 0, average_seconds: null },
    { page: 3, reach_rate: 0.5, average_seconds: null },
  ])
  assert.deepEqual(pageDropoff([], 0), [])
})
