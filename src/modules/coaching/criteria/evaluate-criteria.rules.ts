import { decimal, maxOf, minOf, toExactNumber } from '#platform/decimal'
import type { AnalyzedConversation } from './conversation.rules.ts'
import type { Criterion, CriterionResult, Evidence } from './criteria.schemas.ts'
import { lexiconNameOf } from './lexicons/compile-lexicon.ts'
import { calculateOverallScore } from './overall-score.rules.ts'
import { type ConversationOutcome, type ScoredCriterion, scoreCriterion, toEvidence } from './score-criterion.rules.ts'

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
