import type { Static } from 'typebox'
import {
  type Criterion,
  type CriterionSummary,
  listCriteriaProblems,
  monologueKinds,
  type NewCriterion,
} from '#modules/coaching'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { invalid, invalidInput, invalidTransition } from '#platform/errors'
import type { PromptRow } from './prompt-row.ts'
import type { PromptStatus } from './prompts.schemas.ts'

export const canEditPrompt = ({ owner_id }: PromptRow, { role, userId }: UserActor): boolean =>
  owner_id === userId || isManagerOrAdmin(role)

export const canSeePrompt = (prompt: PromptRow, actor: UserActor): boolean =>
  prompt.status !== 'draft' || canEditPrompt(prompt, actor)

const transitions: Record<PromptStatus, readonly PromptStatus[]> = {
  draft: ['active'],
  active: ['archived'],
  archived: ['draft'],
}

export function assertPromptTransition({ status }: PromptRow, to: PromptStatus): void {
  const allowed = transitions[status]
  if (allowed.includes(to)) return
  const message = `The status of the prompt cannot change from ${status} to ${to}.`
  throw invalidTransition(message, { from: status, to, allowed })
}

export function assertValidCriteria(criteria: readonly NewCriterion[]): void {
  const problems = listCriteriaProblems(criteria, { path: '/criteria', kinds: monologueKinds })
  if (problems.length) throw invalidInput(problems)
}

/** Each reviewer reviews a submission once, so more reviews than reviewers would never be reached. */
export function assertEnoughReviewers(reviewers: readonly string[], minReviews: number): void {
  if (reviewers.length && minReviews > reviewers.length)
    throw invalid('body', '/min_reviews', 'maximum', '`min_reviews` must not exceed the number of `reviewer_ids`.')
}

/** The config tells how to get points without a better pitch, so sellers do not see it. */
export const presentCriteria = (
  criteria: readonly Criterion[],
  { isAuthor }: { isAuthor: boolean },
): Static<typeof CriterionSummary>[] =>
  criteria.map(({ config, ...criterion }) => ({ ...criterion, ...(isAuthor && { config }) }))
