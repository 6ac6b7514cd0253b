import type { Criterion, CriterionKind, CriterionResult } from './criteria.schemas.ts'

const strengthScore = 80
const improvementScore = 70
const maxListed = 2

export type Strength = Pick<CriterionResult, 'key' | 'name'> & { score: number }
export type Improvement = Strength & { quote: string | null; suggestion: string }

const suggestions: Record<CriterionKind, string> = {
  talk_ratio: 'Ask a question and let the buyer finish: "How do you handle this today?"',
  questions: 'Start with an open question: "What would have to change for you?"',
  objections: 'Acknowledge the objection, then ask: "That makes sense. What would you need to see?"',
  discovery: 'Ask for the reason behind an answer: "What does that cost you today?"',
  keywords: 'Name the topic and connect it to the buyer: "For your team this means …"',
  next_step: 'Propose a next step with a time: "Shall we meet again on Tuesday at 10:00?"',
  filler: 'Pause instead of filling the silence, then finish the sentence.',
  monologue: 'Stop after two sentences and ask: "How does that fit what you have seen so far?"',
  pace: 'Slow down or speed up until you speak about 140 words a minute.',
  duration: 'Plan the pitch for the time limit and rehearse it with a clock.',
  judgement: 'Read the description of the criterion again and address it in your own words.',
}

/** The best two results with at least 80 points; the heavier criterion first among equals. */
export const pickStrengths = (results: readonly CriterionResult[]): Strength[] =>
  scoredOnly(results)
    .filter(({ score }) => score >= strengthScore)
    .sort((one, other) => other.score - one.score || other.weight - one.weight)
    .slice(0, maxListed)
    .map(({ key, name, score }) => ({ key, name, score }))

/** The worst two results with less than 70 points; the heavier criterion first among equals. */
export const pickImprovements = (results: readonly CriterionResult[], criteria: readonly Criterion[]): Improvement[] =>
  scoredOnly(results)
    .filter(({ score }) => score < improvementScore)
    .sort((one, other) => one.score - other.score || other.weight - one.weight)
    .slice(0, maxListed)
    .map(({ key, name, score, evidence }) => ({
      key,
      name,
      score,
      quote: evidence[0]?.quote ?? null,
      suggestion: suggestions[criteria.find((criterion) => criterion.key === key)?.kind ?? 'judgement'],
    }))

const scoredOnly = (results: readonly CriterionResult[]) =>
  results.flatMap(({ score, ...result }) => (score === null ? [] : [{ ...result, score }]))
