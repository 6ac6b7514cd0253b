import { type Decimal, decimal, roundHalfUp, sumOf, toExactNumber } from '#platform/decimal'

type WeightedScore = { weight: number; score: number | Decimal | null }

/** Weighted average of the criteria that were scored; null if none was. */
export function averageByWeight(scores: readonly WeightedScore[]): Decimal | null {
  const scored = scores.flatMap(({ weight, score }) => (score === null ? [] : [{ weight, score }]))
  if (!scored.length) return null
  const weighted = scored.map(({ weight, score }) => decimal(score).times(weight))
  return sumOf(weighted).div(sumOf(scored.map(({ weight }) => decimal(weight))))
}

/** The average as it is shown: an integer, ties rounded up. */
export function calculateOverallScore(scores: readonly WeightedScore[]): number | null {
  const average = averageByWeight(scores)
  return average && roundHalfUp(average)
}

export function calculateReviewScore(scores: readonly WeightedScore[]): number | null {
  const average = averageByWeight(scores)
  return average && toExactNumber(average)
}

/** Mean of the scores of several reviews, not rounded; null without reviews. */
export const meanScore = (scores: readonly number[]): number | null =>
  scores.length ? toExactNumber(sumOf(scores.map(decimal)).div(scores.length)) : null

export const roundScore = (score: number): number => roundHalfUp(decimal(score))
