import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addQuotas, quarterNumberOf, toForecastBar } from './quarters.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })
const figures = { closed: euros('142'), commit: euros('98'), best_case: euros('76') }

test('quarters are counted from the start of the fiscal year', () => {
  assert.equal(quarterNumberOf('2026-10-01', 1), 4)
  assert.equal(quarterNumberOf('2026-10-01', 10), 1)
  assert.equal(quarterNumberOf('2025-12-01', 12), 1)
  assert.equal(quarterNumberOf('2026-02-01', 5), 4)
})

test('the forecast bar leaves a margin after the larger of forecast and quota', () => {
  const bar = toForecastBar(figures, euros('240'))

  assert.deepEqual(
    [bar.closed, bar.commit, bar.bestCase, bar.goal].map((share) => Math.round(share!)),
    [36, 25, 19, 61],
  )
  assert.equal(bar.attainment, 1)
  assert.equal(Math.round(toForecastBar(figures, euros('1000')).goal!), 80)
})

test('without a quota there is no goal, and without deals the bar is empty', () => {
  const none = { closed: euros('0.00'), commit: euros('0.00'), best_case: euros('0.00') }

  assert.partialDeepStrictEqual(toForecastBar(figures, null), { goal: null, attainment: null })
  assert.partialDeepStrictEqual(toForecastBar(none, null), { closed: 0, commit: 0, bestCase: 0 })
})

test('quotas are added, and users without one do not count', () => {
  assert.deepEqual(addQuotas([{ quota: euros('100.00') }, { quota: null }, { quota: euros('50.50') }]), euros('150.50'))
  assert.equal(addQuotas([{ quota: null }]), null)
})
