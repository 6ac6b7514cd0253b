import assert from 'node:assert/strict'
import { test } from 'node:test'
import budgets from '../budgets.json' with { type: 'json' }
import { measureReferenceWork } from '../groups/reference-work.ts'
import { sortPatterns } from './lists.ts'
import { measureGrowth } from './measure-growth.ts'
import { measuredPatterns } from './measured-patterns.ts'
import proven from './proven-patterns.json' with { type: 'json' }
import { listPatterns } from './source-patterns.ts'

const maxGrowth = 2.2
/** On the machine of `budgets.json`; a slower one is allowed as much more as its reference work takes longer. */
const maxMilliseconds = 5
const maxMillisecondsHere = () => maxMilliseconds * Math.max(1, measureReferenceWork() / budgets.referenceSeconds)

const { patterns, unlisted } = listPatterns()
const { linear, measured, notAllowed, unknown } = await sortPatterns(patterns)

test('every regular expression takes linear time, by proof or by measurement', (t) => {
  t.diagnostic(`${linear.length} proven linear, ${measured.length} measured, ${notAllowed.length} not allowed`)
  t.diagnostic(`${unknown.length} unknown`)

  assert.ok(patterns.length > 400, `only ${patterns.length} patterns found, the search no longer works`)
  assert.deepEqual(notAllowed, [], 'write a scanner, or a pattern whose repetitions cannot match the same text')
  assert.deepEqual(unknown, [], 'add them to tests/patterns/measured-patterns.ts with the length of their longest text')
})

test('every regular expression that is built at run time is listed', () => {
  assert.deepEqual(unlisted, [], 'add an example to tests/patterns/built-patterns.ts')
})

test('the lists have no regular expressions that are no longer used', () => {
  const used = new Set(patterns.map(({ key }) => key))

  assert.deepEqual(
    [...proven, ...Object.keys(measuredPatterns)].filter((key) => !used.has(key)),
    [],
    'run npm run patterns',
  )
})

for (const pattern of measured)
  test(`${pattern.key} takes linear time up to ${pattern.maxLength} characters`, (t) => {
    const { milliseconds, factor } = measureGrowth(pattern, pattern.maxLength)

    t.diagnostic(`${milliseconds.toFixed(3)} ms, ${factor.toFixed(2)} times as long for twice the length`)
    assert.ok(factor <= maxGrowth, `${factor} times as long for twice the length`)
    assert.ok(milliseconds <= maxMillisecondsHere(), `${milliseconds} ms`)
  })
