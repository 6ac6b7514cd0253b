import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandOf, scoreOf } from './engagement.rules.ts'

const visited = { visitors: 3, seconds: 1_260, viewedItems: 4, visibleItems: 8, daysSinceVisit: 3.5 }

test('three visitors, 1,260 seconds, 4 of 8 items and 3.5 days give 63, warm', () => {
  const { value, band, components } = scoreOf(visited)

  assert.deepEqual([value, band], [63, 'warm'])
  assert.deepEqual(components, { visitors: 18, seconds: 21, items: 10, recency: 14.14 })
})

test('a room without visits has no score; without a visit in 30 days only the last visit counts', () => {
  assert.deepEqual(scoreOf({ ...visited, daysSinceVisit: null }), { value: null, band: 'cold', components: null })
  assert.deepEqual(scoreOf({ ...visited, daysSinceVisit: 35 }).value, 1)
  assert.deepEqual(scoreOf({ ...visited, daysSinceVisit: 70 }).band, 'cold')
  assert.equal(scoreOf({ ...visited, visibleItems: 0, viewedItems: 0 }).components?.items, 0)
})

test('the score is at most 100, and bands begin at 70, 40 and 1', () => {
  const most = scoreOf({ visitors: 50, seconds: 90_000, viewedItems: 9, visibleItems: 9, daysSinceVisit: 0 })

  assert.deepEqual([most.value, most.band], [100, 'hot'])
  assert.deepEqual([70, 69, 40, 39, 1, 0, null].map(bandOf), ['hot', 'warm', 'warm', 'cool', 'cool', 'cold', 'cold'])
})
