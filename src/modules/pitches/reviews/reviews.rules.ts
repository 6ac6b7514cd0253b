import type { Criterion } from '#modules/coaching'
import { calculateReviewScore } from '#modules/coaching'
import { type InputError, invalidInput } from '#platform/errors'
import type { ReviewScore } from '../submissions/feedback.schemas.ts'
import type { NewReview } from './reviews.schemas.ts'

/** Checks that every criterion has one score, and returns the scores in the order of the criteria. */
export function completeScores(criteria: readonly Criterion[], given: NewReview['scores']): ReviewScore[] {
  const problems: InputError[] = []
  const report = (path: string, code: string, message: string) => problems.push({ in: 'body', path, code, message })
  for (const [index, { key }] of given.entries()) {
    if (!criteria.some((criterion) => criterion.key === key))
      report(`/scores/${index}/key`, 'unknown_key', '`key` must be the key of a criterion of the submission.')
    else if (given.findIndex((score) => score.key === key) < index)
      report(`/scores/${index}/key`, 'duplicate_key', 'Each criterion can be scored only once.')
  }
  const missing = criteria.filter(({ key }) => !given.some((score) => score.key === key)).map(({ key }) => key)
  if (missing.length) report('/scores', 'required', `\`scores\` must have a score for ${missing.join(', ')}.`)
  if (problems.length) throw invalidInput(problems)
  return criteria.map(({ key }) => {
    const { score, comment = null } = given.find((candidate) => candidate.key === key)!
    return { key, score, comment }
  })
}

export const scoreReview = (criteria: readonly Criterion[], scores: readonly ReviewScore[]): number =>
  calculateReviewScore(
    criteria.map(({ key, weight }) => ({ weight, score: scores.find((score) => score.key === key)!.score })),
  )!
