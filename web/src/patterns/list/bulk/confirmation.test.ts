import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTypedNumber, needsConfirmation } from './confirmation.ts'

test('actions on more than 200 leads, on all that match and by a single key are confirmed', () => {
  const ids = (count: number) => ({ kind: 'ids' as const, count })

  assert.equal(needsConfirmation(ids(200), false), false)
  assert.equal(needsConfirmation(ids(201), false), true)
  assert.equal(needsConfirmation({ kind: 'matching', count: 3 }, false), true)
  assert.equal(needsConfirmation(ids(1), true), false)
  assert.equal(needsConfirmation(ids(2), true), true)
})

test('the number is accepted with and without separators', () => {
  for (const typed of ['20000', '20,000', '20.000', "20'000", ' 20 000 ']) assert.ok(isTypedNumber(typed, 20_000))
  for (const typed of ['', '2000', '20001', 'delete']) assert.ok(!isTypedNumber(typed, 20_000))
})
