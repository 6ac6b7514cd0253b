import { type Decimal, decimal, maxOf, minOf } from '#platform/decimal'
import type { CriterionConfigs } from './criteria.schemas.ts'

const zero = decimal(0)
const one = decimal(1)
const hundred = decimal(100)

const rateOf = (part: number, whole: number): Decimal => decimal(part).div(whole)
const distanceTo = (value: Decimal, { min, max }: { min: number; max: number }): Decimal =>
  maxOf(maxOf(decimal(min).minus(value), value.minus(max)), zero)
const scoreDistance = (distance: Decimal, zeroAt: Decimal): Decimal =>
  maxOf(zero, hundred.times(one.minus(distance.div(zeroAt))))

export const scoreTalkRatio = (ratio: Decimal, config: CriterionConfigs['talk_ratio']): Decimal =>
  scoreDistance(distanceTo(ratio, config), decimal('0.3'))

export const scorePace = (wordsPerMinute: Decimal, config: CriterionConfigs['pace']): Decimal =>
  scoreDistance(distanceTo(wordsPerMinute, config), decimal(60))

type QuestionCounts = { total: number; open: number }

export function scoreQuestions({ total, open }: QuestionCounts, config: CriterionConfigs['questions']): Decimal {
  if (!total) return zero
  const quantity = minOf(rateOf(total, config.target), one)
  const openness = minOf(rateOf(open, total).div(config.open_min_rate), one)
  return hundred.times(quantity.times('0.7').plus(openness.times('0.3')))
}

/** Share of what was reached; null if there was nothing to reach. */
export const scoreShare = (reached: number, total: number): Decimal | null =>
  total ? hundred.times(rateOf(reached, total)) : null

export const scoreKeywords = (groupsHit: number, groups: number, avoidHits: number): Decimal =>
  maxOf(zero, hundred.times(rateOf(groupsHit, groups)).minus(10 * avoidHits))

export const scoreNextStep = (step: { hasTime: boolean } | undefined): Decimal => {
  if (!step) return zero
  return step.hasTime ? hundred : decimal(60)
}

export const scoreFillers = (per100Words: Decimal, config: CriterionConfigs['filler']): Decimal =>
  maxOf(zero, hundred.minus(maxOf(zero, per100Words.minus(config.max_per_100_words)).times(20)))

/** Full score up to the maximum, then linear to 0 at three times the maximum. */
export const scoreMonologue = (words: number, { max_words: max }: CriterionConfigs['monologue']): Decimal =>
  scoreDistance(maxOf(decimal(words - max), zero), decimal(2 * max))

type Durations = { seconds: number; limit: number }

/** Costs 5 points per started percent above the limit. */
export function scoreDuration({ seconds, limit }: Durations, config: CriterionConfigs['duration']): Decimal {
  const enough = decimal(limit).times(config.min_rate)
  if (enough.gt(seconds)) return hundred.times(seconds).div(enough)
  const percentOver = maxOf(decimal(seconds).minus(limit).times(100).div(limit), zero)
  return maxOf(zero, hundred.minus(percentOver.round(0, 3).times(5)))
}
