import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findReviewNotice, freshnessScore, isStale, nextReviewAt } from './freshness.rules.ts'

const now = new Date('2026-03-01T00:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const reviewed = (days: number) => ({ last_reviewed_at: daysAgo(days), review_interval_days: 180 })

test('freshness halves with every review interval', () => {
  assert.deepEqual(
    [0, 90, 180, 200].map((days) => freshnessScore(reviewed(days), now)),
    [100, 70.7, 50, 46.3],
  )
  assert.equal(freshnessScore({ last_reviewed_at: null, review_interval_days: 180 }, now), null)
})

test('an item is stale when its freshness is below 50', () => {
  const stale = [90, 180, 200].map((days) => isStale({ next_review_at: nextReviewAt(reviewed(days)) }, now))

  assert.deepEqual(stale, [false, false, true])
})

test('notices are sent 14 days before the review, on its day and every week after it, each once', () => {
  const notice = (daysOverdue: number, notifiedDaysAgo: number | null) =>
    findReviewNotice(daysAgo(daysOverdue), notifiedDaysAgo === null ? null : daysAgo(notifiedDaysAgo), now)

  assert.equal(notice(-15, null), undefined)
  assert.deepEqual(notice(-14, null), { daysOverdue: -14, includesManagers: false })
  assert.equal(notice(-10, 4), undefined)
  assert.deepEqual(notice(0, 14), { daysOverdue: 0, includesManagers: false })
  assert.equal(notice(3, 3), undefined)
  assert.deepEqual(notice(8, 8), { daysOverdue: 8, includesManagers: false })
  assert.deepEqual(notice(30, 9), { daysOverdue: 30, includesManagers: true })
})
