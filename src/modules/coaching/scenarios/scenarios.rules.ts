import type { Static } from 'typebox'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { conflict, invalidInput, invalidTransition } from '#platform/errors'
import { listCriteriaProblems } from '../criteria/complete-criteria.rules.ts'
import type { Criterion, CriterionSummary, NewCriterion } from '../criteria/criteria.schemas.ts'
import type { ScenarioRow } from './scenario-row.ts'
import type { ScenarioStatus } from './scenarios.schemas.ts'

export const canSeeScenario = ({ status, owner_id }: ScenarioRow, { role, userId }: UserActor): boolean =>
  status !== 'draft' || owner_id === userId || isManagerOrAdmin(role)

const transitions: Record<ScenarioStatus, readonly ScenarioStatus[]> = {
  draft: ['published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
}

export function assertScenarioTransition({ status }: ScenarioRow, to: ScenarioStatus): void {
  const allowed = transitions[status]
  if (status === to || allowed.includes(to)) return
  const message = `The status of the scenario cannot change from ${status} to ${to}.`
  throw invalidTransition(message, { from: status, to, allowed })
}

/** A published scenario can be started, so it needs a buyer. */
export function assertPublishable(status: ScenarioStatus, persona: { is_active: boolean } | undefined): void {
  if (status === 'published' && !persona?.is_active)
    throw conflict('not_publishable', 'A published scenario must have an active persona.')
}

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
