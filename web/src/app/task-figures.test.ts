import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFailures, estimateLeft } from './task-figures.ts'

test('the remaining time follows the speed of the task', () => {
  const startedAt = new Date(1_000_000)
  const after = (seconds: number, done: number, total: number | null = 1_000) =>
    estimateLeft({ progress: { done, total }, started_at: startedAt.toISOString() }, 1_000_000 + seconds * 1_000)

  assert.equal(after(60, 100), ' · about 9 min left')
  assert.equal(after(60, 600), ' · less than a minute left')
  assert.equal(after(2, 100), '')
  assert.equal(after(60, 0), '')
  assert.equal(after(60, 100, null), '')
  assert.equal(estimateLeft({ progress: { done: 1, total: 2 }, started_at: null }, 0), '')
})

test('failures are counted if the result names them', () => {
  assert.equal(countFailures({ result: { failed: 3 } }), 3)
  assert.equal(countFailures({ result: { failed: 'x' } }), 0)
  assert.equal(countFailures({ result: null }), 0)
})
