import type { CriterionResult } from '../criteria/criteria.schemas.ts'
import { calculateOverallScore } from '../criteria/evaluate-criteria.rules.ts'
import { pickImprovements, pickStrengths } from '../criteria/summarize-results.rules.ts'
import type { Scorecard } from './scorecard.schemas.ts'
import type { ScenarioSnapshot } from './session-row.ts'
import type { CoachScore } from './sessions.schemas.ts'

/** The scorecard of a session that a coach has scored. */
export function scoreByCoach(
  { rubric, rubric_version, passing_score }: ScenarioSnapshot,
  scores: readonly CoachScore[],
): Scorecard {
  const criteria = rubric.map(({ key, name, weight }): CriterionResult => {
    const given = scores.find((score) => score.key === key)
    return {
      key,
      name,
      weight,
      score: given?.score ?? null,
      scored: given !== undefined,
      evidence: [],
      feedback: given?.comment ?? '',
    }
  })
  return {
    score: calculateOverallScore(criteria),
    passing_score,
    rubric_version,
    criteria,
    strengths: pickStrengths(criteria),
    improvements: pickImprovements(criteria, rubric),
    metrics: null,
    lexicon: null,
    engine: null,
    model: null,
    fallback_reason: null,
  }
}

/** The final score: scores of the coach replace those of the scorecard, which stays as it is. */
export function correctScore(
  { rubric }: ScenarioSnapshot,
  scorecard: Scorecard | null,
  corrections: readonly CoachScore[],
): number | null {
  return calculateOverallScore(
    rubric.map(({ key, weight }) => {
      const corrected = corrections.find((correction) => correction.key === key)?.score
      const score = scorecard?.criteria.find((criterion) => criterion.key === key)?.score
      return { weight, score: corrected ?? score ?? null }
    }),
  )
}

export const isPassed = (score: number | null, { passing_score }: ScenarioSnapshot): boolean | null =>
  score === null ? null : score >= passing_score
