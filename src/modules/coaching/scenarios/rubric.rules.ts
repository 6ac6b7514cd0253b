import type { Static } from 'typebox'
import { invalidInput } from '#platform/errors'
import { listCriteriaProblems } from '../criteria/complete-criteria.rules.ts'
import type { Criterion, CriterionSummary, NewCriterion } from '../criteria/criteria.schemas.ts'

export function assertValidRubric(rubric: readonly NewCriterion[]): void {
  const problems = listCriteriaProblems(rubric, { path: '/rubric' })
  if (problems.length) throw invalidInput(problems)
}

/** The config tells how to get points without selling better, so sellers do not see it. */
export const presentRubric = (
  rubric: readonly Criterion[],
  { isAuthor }: { isAuthor: boolean },
): Static<typeof CriterionSummary>[] =>
  rubric.map(({ config, ...criterion }) => ({ ...criterion, ...(isAuthor && { config }) }))
