import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, roundHalfUp } from '../../../platform/decimal/decimal.ts'
import { calculateOverallScore, calculateReviewScore, meanScore, roundScore } from './evaluate-criteria.rules.ts'
import {
  scoreDuration,
  scoreFillers,
  scoreKeywords,
  scoreMonologue,
  scoreNextStep,
  scorePace,
  scoreQuestions,
  scoreShare,
  scoreTalkRatio,
} from './score-formulas.rules.ts'

const shown = (score: ReturnType<typeof scoreShare>) => score && roundHalfUp(score, 2)

test('the worked conversation scores 80, 77, 67 and 100, and 79 overall', () => {
  const scores = [
    { weight: 20, score: scoreTalkRatio(decimal('0.61'), { min: 0.3, max: 0.55 }) },
    { weight: 30, score: scoreQuestions({ total: 4, open: 3 }, { target: 6, open_min_rate: 0.5 }) },
    { weight: 30, score: scoreShare(2, 3) },
    { weight: 20, score: scoreNextStep({ hasTime: true }) },
  ]

  assert.deepEqual(
    scores.map(({ score }) => shown(score)),
    [80, 76.67, 66.67, 100],
  )
  assert.equal(calculateOverallScore(scores), 79)
})

test('the worked pitch scores 56.67, 80 and 70, and 68 overall', () => {
  const scores = [
    { weight: 40, score: scoreKeywords(2, 3, 1) },
    { weight: 30, score: scorePace(decimal(172), { min: 120, max: 160 }) },
    { weight: 30, score: scoreFillers(decimal('4.5'), { max_per_100_words: 3 }) },
  ]

  assert.deepEqual(
    scores.map(({ score }) => shown(score)),
    [56.67, 80, 70],
  )
  assert.equal(calculateReviewScore(scores), 67.6666666667)
  assert.equal(calculateOverallScore(scores), 68)
})

test('the final score is the mean of the reviews', () => {
  assert.equal(meanScore([82, 76]), 79)
  assert.equal(meanScore([82, 76, 77]), 78.3333333333)
  assert.equal(meanScore([]), null)
})

test('a talk ratio is scored by its distance to the range', () => {
  const score = (ratio: string) => shown(scoreTalkRatio(decimal(ratio), { min: 0.3, max: 0.55 }))

  assert.deepEqual(['0.3', '0.55', '0.4'].map(score), [100, 100, 100])
  assert.deepEqual(['0.15', '0.29', '0.7'].map(score), [50, 96.67, 50])
  assert.deepEqual(['0', '0.85', '1'].map(score), [0, 0, 0])
})

test('questions are scored by their number and by the share of open ones', () => {
  const score = (total: number, open: number) =>
    shown(scoreQuestions({ total, open }, { target: 6, open_min_rate: 0.5 }))

  assert.equal(score(0, 0), 0)
  assert.equal(score(6, 3), 100)
  assert.equal(score(12, 12), 100)
  assert.equal(score(6, 0), 70)
  assert.equal(score(8, 2), 85)
  assert.equal(score(1, 1), 41.67)
})

test('objections and facts are scored by their share, and not without any', () => {
  assert.equal(shown(scoreShare(0, 3)), 0)
  assert.equal(shown(scoreShare(3, 3)), 100)
  assert.equal(scoreShare(0, 0), null)
})

test('each phrase to avoid costs 10 points, down to 0', () => {
  assert.deepEqual([scoreKeywords(3, 3, 0), scoreKeywords(3, 3, 2), scoreKeywords(0, 3, 1)].map(shown), [100, 80, 0])
})

test('a next step without a time scores 60', () => {
  assert.deepEqual([undefined, { hasTime: false }, { hasTime: true }].map(scoreNextStep).map(shown), [0, 60, 100])
})

test('each filler per 100 words above the maximum costs 20 points', () => {
  const score = (per100Words: number) => shown(scoreFillers(decimal(per100Words), { max_per_100_words: 3 }))

  assert.deepEqual([0, 3, 3.5, 8, 20].map(score), [100, 100, 90, 0, 0])
})

test('a monologue loses points between the maximum and three times the maximum', () => {
  const score = (words: number) => shown(scoreMonologue(words, { max_words: 150 }))

  assert.deepEqual([0, 150, 151, 300, 450, 1_000].map(score), [100, 100, 99.67, 50, 0, 0])
})

test('the pace is scored by its distance to the range', () => {
  const score = (wordsPerMinute: number) => shown(scorePace(decimal(wordsPerMinute), { min: 120, max: 160 }))

  assert.deepEqual([120, 140, 160, 90, 172, 220, 300, 0].map(score), [100, 100, 100, 50, 80, 0, 0, 0])
})

test('a duration below the minimum scores its share, and each started percent above the limit costs 5 points', () => {
  const score = (seconds: number) => shown(scoreDuration({ seconds, limit: 180 }, { min_rate: 0.5 }))

  assert.deepEqual([0, 45, 90, 180].map(score), [0, 50, 100, 100])
  assert.deepEqual([180.1, 181.8, 181.9, 183.6, 216, 300].map(score), [95, 95, 90, 90, 0, 0])
})

test('criteria without a score do not count, and nothing scored has no overall score', () => {
  assert.equal(
    calculateOverallScore([
      { weight: 90, score: null },
      { weight: 10, score: 40 },
    ]),
    40,
  )
  assert.equal(calculateOverallScore([{ weight: 90, score: null }]), null)
  assert.equal(calculateOverallScore([]), null)
})

test('ties are rounded up, also those of thirds and stored scores', () => {
  const third = scoreShare(1, 3)!
  const stored = [100 / 3, 100 / 3, 100 / 3, 52].map((score) => ({ weight: 1, score }))

  assert.equal(
    calculateOverallScore([
      { weight: 1, score: 72 },
      { weight: 1, score: 73 },
    ]),
    73,
  )
  assert.equal(roundScore(66.5), 67)
  assert.equal(roundScore(66.4999), 66)
  assert.equal(roundHalfUp(third.times(3).plus('0.5')), 101)
  assert.equal(calculateOverallScore(stored), 38)
  // 1.005 and 0.615 are slightly less as floating-point numbers.
  assert.equal(roundHalfUp(decimal(1.005), 2), 1.01)
  assert.equal(
    calculateOverallScore([
      { weight: 1, score: 0.5 },
      { weight: 1, score: 0.7 },
      { weight: 1, score: 0.3 },
    ]),
    1,
  )
})
