import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEmailStats, toTotalRates } from './cadence-stats.rules.ts'
import { moveRemovedSteps } from './steps.rules.ts'

const positions = (ids: string) => [...ids].map((id, index) => ({ id, position: index + 1 }))
const moved = (before: string, after: string, removed: string) =>
  moveRemovedSteps(
    positions(before).filter(({ id }) => removed.includes(id)),
    positions(before),
    positions(after),
  ).map(({ id, position }) => `${id}${position}`)

test('a removed step continues after the nearest earlier step that was kept', () => {
  assert.deepEqual(moved('abc', 'ac', 'b'), ['b2'])
  assert.deepEqual(moved('abc', 'c', 'ab'), ['a1', 'b1'])
  assert.deepEqual(moved('abc', 'adc', 'b'), ['b2'])
  assert.deepEqual(moved('abc', 'dac', 'b'), ['b3'])
  assert.deepEqual(moved('abc', 'ab', 'c'), ['c3'])
  const thirty = Array.from({ length: 30 }, (_, index) => ({ id: String(index), position: index + 1 }))
  assert.deepEqual(moveRemovedSteps([{ id: 'x', position: 30 }], thirty, thirty), [{ id: 'x', position: 30 }])
})

test('6 replies of 40 persons with a delivered email are a reply rate of 0.15', () => {
  const counts = { persons_delivered: 40, persons_replied: 6, exited_opted_out: 1, sent: 50, bounced: 2 }

  assert.partialDeepStrictEqual(toTotalRates(counts), { reply_rate: 0.15, bounce_rate: 0.04, opt_out_rate: 0.025 })
  assert.partialDeepStrictEqual(toTotalRates({}), { reply_rate: null, bounce_rate: null, opt_out_rate: null })
  assert.partialDeepStrictEqual(toEmailStats(counts, { track_opens: true }), { delivered: 48, opened: 0 })
})
