import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bucketsIn, periodsOf, spanOf } from './days.rules.ts'
import { changeOf, fairnessOf, rateOf, returnOf, shareOf, withinSlaRate } from './figures.rules.ts'
import { limitsOf, thresholds, timeAt } from './steps.rules.ts'

test('rates have four decimals, and there is none of nothing', () => {
  assert.equal(withinSlaRate({ within_sla_n: 6, late_n: 2, overdue_n: 1 }), 0.6667)
  assert.deepEqual([rateOf(1, 0), rateOf(0, 5), rateOf(80, 200)], [null, 0, 0.4])
  assert.deepEqual(changeOf(50, 40), { current: 50, previous: 40, change_rate: 0.25 })
  assert.deepEqual(changeOf(30, 40).change_rate, -0.25)
})

test('what a source returned, and what a lead cost', () => {
  assert.equal(returnOf(1_000_000n, 400_000n), 1.5)
  assert.equal(returnOf(0n, 400_000n), -1)
  assert.equal(returnOf(5n, 0n), null)
  assert.deepEqual([shareOf(400_000n, 80), shareOf(1n, 2), shareOf(1n, 0)], [5_000n, 1n, null])
})

test('how evenly leads are spread', () => {
  assert.deepEqual(fairnessOf([10, 10, 10, 30]), { jain: 0.75, gini: 0.25 })
  assert.deepEqual(fairnessOf([]), { jain: null, gini: null })
  assert.deepEqual(fairnessOf([7]), { jain: 1, gini: 0 })
  assert.deepEqual(fairnessOf([0]), { jain: 1, gini: 0 })
  assert.deepEqual(fairnessOf([0, 0]), { jain: null, gini: null })
  assert.deepEqual(fairnessOf([5, 5, 5]), { jain: 1, gini: 0 })
})

test('Gini is what comparing everybody with everybody gives', () => {
  const shares = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(shares, (all) => {
      const sum = all.reduce((total, one) => total + one, 0)
      fc.pre(sum > 0)
      const pairs = all.flatMap((one) => all.map((other) => Math.abs(one - other)))
      const expected = pairs.reduce((total, one) => total + one, 0) / (2 * all.length * sum)
      assert.ok(Math.abs(fairnessOf(all).gini! - expected) <= 0.0001)
    }),
  )
})

test('steps follow one another without a gap, each an eighth wider at most', () => {
  for (let step = 1; step < thresholds.length; step++) {
    const { from, until } = limitsOf(step)
    assert.ok(from < until && until <= from * 1.125, `step ${step}`)
    assert.equal(limitsOf(step - 1).until, from)
  }
  assert.deepEqual(
    [limitsOf(0), limitsOf(1)],
    [
      { from: 0, until: 1_000 },
      { from: 1_000, until: 1_125 },
    ],
  )
})

test('from steps a middle is told that is off by an eighth at most', () => {
  const times = fc.array(fc.integer({ min: 1_000, max: 10_000_000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(times, (all) => {
      const counts = new Map<number, number>()
      for (const ms of all) {
        const step = thresholds.findLastIndex((threshold) => threshold <= ms) + 1
        counts.set(step, (counts.get(step) ?? 0) + 1)
      }
      const steps = [...counts].map(([step, n]) => ({ step, n }))
      const middle = all.toSorted((one, other) => one - other)[Math.ceil(all.length / 2) - 1]!
      const told = timeAt(0.5, steps)!
      assert.ok(told >= middle / 1.126 && told <= middle * 1.126, `${told} for ${middle}`)
    }),
  )
  assert.equal(timeAt(0.5, []), null)
})

test('days that are asked about', () => {
  assert.deepEqual(spanOf({}, '2026-03-31'), { from: '2026-01-01', to: '2026-03-31' })
  assert.deepEqual(spanOf({ from: '2026-03-30' }, '2026-03-31'), { from: '2026-03-30', to: '2026-03-31' })
  assert.deepEqual(spanOf({ from: '2026-04-02' }, '2026-03-31'), { from: '2026-04-02', to: '2026-04-02' })
  assert.deepEqual(periodsOf(30, '2026-03-31'), {
    current: { from: '2026-03-02', to: '2026-03-31' },
    previous: { from: '2026-01-31', to: '2026-03-01' },
  })
  assert.deepEqual(bucketsIn({ from: '2026-03-08', to: '2026-03-09' }, 'week'), ['2026-03-02', '2026-03-09'])
  assert.equal(bucketsIn({ from: '2024-01-31', to: '2024-03-01' }, 'month').length, 3)
})
