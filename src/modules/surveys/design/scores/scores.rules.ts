import type { SurveyType } from '../survey-records/surveys.schemas.ts'

export type Sentiment = 'positive' | 'neutral' | 'negative'
type ScoredType = Exclude<SurveyType, 'custom'>

const thresholds: Record<ScoredType, { positive: number; neutral: number }> = {
  nps: { positive: 9, neutral: 7 },
  csat: { positive: 4, neutral: 3 },
  ces: { positive: 5, neutral: 4 },
}

export const scoreRanges: Record<ScoredType, { min: number; max: number }> = {
  nps: { min: 0, max: 10 },
  csat: { min: 1, max: 5 },
  ces: { min: 1, max: 7 },
}

export function sentimentOf(type: SurveyType, score: number | null): Sentiment | null {
  if (type === 'custom' || score === null) return null
  const { positive, neutral } = thresholds[type]
  if (score >= positive) return 'positive'
  return score >= neutral ? 'neutral' : 'negative'
}

export function roundHalfAway(value: number, decimals: number): number {
  const factor = 10 ** decimals
  const rounded = Math.round(Number((Math.abs(value) * factor).toPrecision(12))) / factor
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** `counts[n]` is the number of responses with score n. */
export type ScoreCounts = readonly number[]

export type NpsHeadline = {
  nps: number
  promoters: number
  passives: number
  detractors: number
  n: number
  margin_of_error: number | null
}
export type CsatHeadline = { csat_rate: number; average: number; n: number }
export type CesHeadline = { ces_average: number; easy_rate: number; n: number }
export type ScoreHeadline = NpsHeadline | CsatHeadline | CesHeadline

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
const countFrom = (counts: ScoreCounts, first: number, last = counts.length - 1) => sumOf(counts.slice(first, last + 1))

/** Null for surveys without a score and without responses. */
export function headlineOf(type: SurveyType, counts: ScoreCounts): ScoreHeadline | null {
  const n = sumOf(counts)
  if (type === 'custom' || n === 0) return null
  if (type === 'nps') return npsOf(counts, n)
  const average = roundHalfAway(sumOf(counts.map((count, score) => count * score)) / n, 2)
  const positive = countFrom(counts, thresholds[type].positive)
  const rate = roundHalfAway(positive / n, 4)
  return type === 'csat' ? { csat_rate: rate, average, n } : { ces_average: average, easy_rate: rate, n }
}

function npsOf(counts: ScoreCounts, n: number): NpsHeadline {
  const { positive, neutral } = thresholds.nps
  const promoters = countFrom(counts, positive)
  const detractors = countFrom(counts, 0, neutral - 1)
  const [p, d] = [promoters / n, detractors / n]
  return {
    nps: roundHalfAway((100 * (promoters - detractors)) / n, 1),
    promoters,
    passives: n - promoters - detractors,
    detractors,
    n,
    margin_of_error: n < 2 ? null : roundHalfAway(1.96 * 100 * Math.sqrt(Math.max(0, (p + d - (p - d) ** 2) / n)), 1),
  }
}
