import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headlineOf, roundHalfAway, sentimentOf } from './scores.rules.ts'

const countsOf = (...scores: number[]) =>
  Array.from({ length: 11 }, (_, score) => scores.filter((given) => given === score).length)

test('engagement-1-15 the score of an NPS survey has a margin of error', () => {
  assert.deepEqual(headlineOf('nps', countsOf(10, 9, 9, 8, 7, 6, 3, 10, 9, 0)), {
    nps: 20,
    promoters: 5,
    passives: 2,
    detractors: 3,
    n: 10,
    margin_of_error: 54,
  })
  assert.equal(JSON.stringify(headlineOf('nps', countsOf(0))).includes('"margin_of_error":null'), true)
})

test('engagement-1-15 satisfaction and effort are a rate and an average', () => {
  assert.deepEqual(headlineOf('csat', countsOf(5, 4, 4, 3, 2)), { csat_rate: 0.6, average: 3.6, n: 5 })
  assert.deepEqual(headlineOf('ces', countsOf(7, 6, 5, 4, 2)), { ces_average: 4.8, easy_rate: 0.6, n: 5 })
})

test('engagement-1-15 without responses there is no headline', () => {
  for (const type of ['nps', 'csat', 'ces', 'custom'] as const) assert.equal(headlineOf(type, countsOf()), null)
  assert.equal(headlineOf('custom', countsOf(5)), null)
})

test('sentiments follow the thresholds of each type', () => {
  const sentiments = (type: 'nps' | 'csat' | 'ces', scores: number[]) =>
    scores.map((score) => sentimentOf(type, score)![2]).join('')

  assert.equal(sentiments('nps', [0, 6, 7, 8, 9, 10]), 'gguuss')
  assert.equal(sentiments('csat', [1, 2, 3, 4, 5]), 'gguss')
  assert.equal(sentiments('ces', [1, 3, 4, 5, 7]), 'gguss')
  assert.equal(sentimentOf('custom', 5), null)
  assert.equal(sentimentOf('nps', null), null)
})

test('halves are rounded away from zero', () => {
  assert.deepEqual(
    [0.25, -0.25, 1.005, -16.65, 0].map((value) => roundHalfAway(value, value === 1.005 ? 2 : 1)),
    [0.3, -0.3, 1.01, -16.7, 0],
  )
})
