import { type Decimal, decimal, maxOf, minOf, roundHalfUp, sumOf, toExactNumber } from '#platform/decimal'
import type { AnalyzedConversation } from './conversation.rules.ts'
import type { Criterion, CriterionResult, Evidence } from './criteria.schemas.ts'
import { lexiconNameOf } from './lexicons/compile-lexicon.ts'
import { type ConversationOutcome, type ScoredCriterion, scoreCriterion, toEvidence } from './score-criterion.rules.ts'

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

/** Answer of a model for a criterion of the kind `judgement`. */
export type Judgement = { score: number; feedback: string; evidence: readonly Evidence[] }

export type Evaluation = {
  overall: number | null
  criteria: CriterionResult[]
  /** Words that the metrics were calculated with; null without messages. */
  lexicon: string | null
}

type EvaluationOptions = { outcome?: ConversationOutcome; judgements?: Readonly<Record<string, Judgement>> }

/** Scores a conversation by rules; only criteria of the kind `judgement` use the answers of a model. Same input, same result. */
export function evaluateCriteria(
  criteria: readonly Criterion[],
  conversation: AnalyzedConversation,
  { outcome = {}, judgements = {} }: EvaluationOptions = {},
): Evaluation {
  const { messages, metrics } = conversation
  const scoreOne = (criterion: Criterion): ScoredCriterion => {
    if (!metrics.repWords) return { score: null, evidence: [], feedback: 'Nothing was said.' }
    const judgement = Object.hasOwn(judgements, criterion.key) ? judgements[criterion.key] : undefined
    return judgement && criterion.kind === 'judgement'
      ? checkJudgement(judgement, conversation)
      : scoreCriterion(criterion, conversation, outcome)
  }
  const scored = criteria.map((criterion) => ({ criterion, ...scoreOne(criterion) }))
  const firstMessage = messages[0]
  return {
    overall: calculateOverallScore(scored.map(({ criterion: { weight }, score }) => ({ weight, score }))),
    criteria: scored.map(({ criterion: { key, name, weight }, score, evidence, feedback }) => ({
      key,
      name,
      weight,
      score: score && toExactNumber(score),
      scored: score !== null,
      evidence,
      feedback,
    })),
    lexicon: firstMessage ? lexiconNameOf(firstMessage.analysis.lexicon) : null,
  }
}

/** A blank quote is contained in every text and proves nothing. */
export const containsQuote = (text: string, quote: string): boolean =>
  quote.trim() !== '' && text.includes(quote.trim())

/** Keeps only quotes that occur in their message. */
function checkJudgement({ score, feedback, evidence }: Judgement, { messages }: AnalyzedConversation): ScoredCriterion {
  const isQuoted = ({ seq, quote }: Evidence) =>
    messages.some((message) => message.seq === seq && containsQuote(message.text, quote))
  return {
    score: minOf(maxOf(decimal(score), decimal(0)), decimal(100)),
    evidence: toEvidence(evidence.filter(isQuoted).map(({ seq, quote }) => ({ seq, text: quote.trim() }))),
    feedback,
  }
}
