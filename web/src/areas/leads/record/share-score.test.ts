import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareScore } from './share-score.ts'

test('the parts of a score are weighted and add up to it', () => {
  const same = { fit: 0.5, engagement: 0.5 }

  assert.deepEqual(shareScore(80, { fit: 100, engagement: 60 }, same), { fit: 50, engagement: 30, other: 0 })
  assert.deepEqual(shareScore(33, { fit: 33, engagement: 33 }, same), { fit: 17, engagement: 16, other: 0 })
  assert.deepEqual(shareScore(80, { fit: 100, engagement: 30 }, { fit: 0.7, engagement: 0.3 }), {
    fit: 70,
    engagement: 9,
    other: 1,
  })
  assert.deepEqual(shareScore(0, { fit: 0, engagement: 0 }, same), { fit: 0, engagement: 0, other: 0 })
})
