import { canCoach, mayReadPrivate } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound, roleRequired } from '#platform/errors'
import { isReviewedByCoaches, readReviewers } from '../prompts/reviewers.service.ts'
import type { SubmissionRow } from './submission-row.ts'
import { findSubmission } from './submissions.queries.ts'
import { isPrivate } from './submissions.rules.ts'

export type SubmissionAccess = {
  isAuthor: boolean
  /** A manager, an admin or a lead of a team of the author. */
  isCoach: boolean
  /** Listed by the prompt; without enough listed users, the coaches review too. */
  isReviewer: boolean
}

const noAccess: SubmissionAccess = { isAuthor: false, isCoach: false, isReviewer: false }

export async function readAccess(tx: TenantTx, actor: UserActor, submission: SubmissionRow): Promise<SubmissionAccess> {
  const isAuthor = submission.user_id === actor.userId
  if (isPrivate(submission)) return { ...noAccess, isAuthor: isAuthor && mayReadPrivate(actor) }
  if (isAuthor) return { ...noAccess, isAuthor }
  const [isCoach, reviewers] = await Promise.all([
    canCoach(tx, actor, submission.user_id),
    readReviewers(tx, submission.prompt_id),
  ])
  const isListed = reviewers?.activeIds.includes(actor.userId) ?? false
  const isReviewer = isListed || (isCoach && isReviewedByCoaches(reviewers, submission.user_id))
  return { isAuthor: false, isCoach, isReviewer }
}

/** The author, coaches and reviewers. Other users see an exemplar without the feedback on it. */
export const isInvolved = ({ isAuthor, isCoach, isReviewer }: SubmissionAccess): boolean =>
  isAuthor || isCoach || isReviewer

export type VisibleSubmission = { submission: SubmissionRow; access: SubmissionAccess }

export async function getVisibleSubmission(tx: TenantTx, actor: UserActor, id: string): Promise<VisibleSubmission> {
  const submission = await findSubmission(tx, id)
  if (!submission) throw notFound('submission')
  return { submission, access: await getAccess(tx, actor, submission) }
}

/** Throws 404 if the caller does not see the submission. Called again after it was locked. */
export async function getAccess(tx: TenantTx, actor: UserActor, submission: SubmissionRow): Promise<SubmissionAccess> {
  const access = await readAccess(tx, actor, submission)
  if (!submission.is_exemplar && !isInvolved(access)) throw notFound('submission')
  return access
}

export function assertAuthor({ isAuthor }: SubmissionAccess, action: string): void {
  if (!isAuthor) throw roleRequired(`Only the author can ${action}.`)
}

export function assertInvolved(access: SubmissionAccess, action: string): void {
  if (!isInvolved(access)) throw roleRequired(`Only the author, coaches and reviewers can ${action}.`)
}
