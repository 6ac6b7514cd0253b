import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { decimal, roundHalfUp } from '#platform/decimal'
import { conflict, forbidden, invalid, listAlternatives } from '#platform/errors'
import { emit } from '#platform/outbox'
import { enrollmentReviewed } from '../learning.events.ts'
import type { EnrollmentDetails } from '../progress/enrollment.schemas.ts'
import { getOwnModule, lockVisibleEnrollment, type OwnModule } from '../progress/enrollment-access.service.ts'
import { presentEnrollmentDetails } from '../progress/enrollment-details.service.ts'
import { notifyReviewed } from '../progress/progress-notifications.ts'
import { type ModuleChange, recordModule } from '../progress/record-progress.service.ts'
import type { AttemptRow } from '../quizzes/attempt-row.ts'
import { findOpenAttempt } from '../quizzes/attempts.queries.ts'
import type { EnrollmentRow, ModuleReview } from '../records/enrollment-row.ts'
import type { AssignmentSettings, ModuleState } from '../records/learning.schemas.ts'
import { findPath } from '../records/paths.queries.ts'
import type { Review } from './enrollments.schemas.ts'

type Decision = Review['decision']

const reviewable: Record<Decision, readonly ModuleState[]> = {
  pass: ['submitted'],
  fail: ['submitted'],
  waive: ['pending', 'in_progress', 'submitted', 'failed'],
  reset: ['pending', 'in_progress', 'submitted', 'failed', 'waived'],
}

const reviewableStatuses = ['not_started', 'in_progress', 'failed']

/** Passes, fails, waives or resets a module of another user. A failed enrollment opens again when nothing is failed. */
export async function reviewModule(
  tx: TenantTx,
  actor: UserActor,
  { enrollmentId, moduleId }: { enrollmentId: string; moduleId: string },
  { review, now }: { review: Review; now: Date },
): Promise<EnrollmentDetails> {
  const { enrollment, path, isLearner } = await lockVisibleEnrollment(tx, actor, enrollmentId)
  if (isLearner) throw forbidden('self_assessment', 'You cannot review your own enrollment. Ask a coach.')
  if (!(await findPath(tx, path.id)))
    throw conflict(
      'enrollment_closed',
      'The path was deleted, so its enrollments no longer change. Enroll the user in another path.',
    )
  const own = await getOwnModule(tx, enrollment, moduleId)
  const { decision, points = null, comment = null } = review
  assertReviewable(enrollment, own, review)
  const stored: ModuleReview = {
    decision,
    points,
    comment,
    reviewed_at: now.toISOString(),
  }
  const open = decision === 'reset' ? await findOpenAttempt(tx, own.row) : undefined
  const change = { ...changeOf(own, review, { now, open }), review: JSON.stringify(stored), reviewed_by: actor.userId }
  const updated = await recordModule(tx, { enrollment, path, now }, own.row, change)
  const { path_id, user_id } = updated
  await emit(tx, enrollmentReviewed, updated, { path_id, user_id, module_id: moduleId, decision })
  await notifyReviewed(tx, updated, path, decision)
  return await presentEnrollmentDetails(tx, updated, { now })
}

function assertReviewable({ status }: EnrollmentRow, { row, module }: OwnModule, review: Review): void {
  const { decision, points, extra_attempts } = review
  if (!reviewableStatuses.includes(status))
    throw conflict(
      'enrollment_closed',
      `The enrollment is ${status}, so its modules no longer change. A new enrollment starts again.`,
      {
        enrollment_status: status,
      },
    )
  const allowed = reviewable[decision]
  if (!allowed.includes(row.state))
    throw conflict(
      'invalid_transition',
      `A module that is ${row.state} cannot get the decision ${decision}. It must be ${listAlternatives(allowed)}.`,
      { from: row.state, allowed },
    )
  if (extra_attempts !== undefined && (decision !== 'reset' || module.kind !== 'quiz'))
    throw invalid('body', '/extra_attempts', 'not_allowed', '`extra_attempts` is only allowed to reset a quiz.')
  if (points !== undefined) assertPoints(module.assignment, decision, points)
}

function assertPoints(assignment: AssignmentSettings | null, decision: Decision, points: number): void {
  if (!assignment || (decision !== 'pass' && decision !== 'fail'))
    throw invalid('body', '/points', 'not_allowed', '`points` is only allowed to pass or fail an assignment.')
  const { max_points, passing_points } = assignment
  if (points > max_points) throw invalid('body', '/points', 'maximum', `\`points\` must not exceed ${max_points}.`)
  if (decision === 'pass' && points < passing_points)
    throw invalid('body', '/points', 'minimum', `\`points\` must be at least ${passing_points} to pass.`)
  if (decision === 'fail' && points >= passing_points)
    throw invalid('body', '/points', 'maximum', `\`points\` must be less than ${passing_points} to fail.`)
}

type Context = { now: Date; open: AttemptRow | undefined }

/** An open attempt continues after a reset, and counts. */
function changeOf(
  { row, module }: OwnModule,
  { decision, points, extra_attempts }: Review,
  { now, open }: Context,
): ModuleChange {
  const score =
    points === undefined ? null : roundHalfUp(decimal(points).times(100).div(module.assignment!.max_points), 2)
  switch (decision) {
    case 'pass':
      return { state: 'completed', completed_at: now, score }
    case 'fail':
      return { state: 'failed', score }
    case 'waive':
      return { state: 'waived', score: null }
    case 'reset':
      return {
        state: 'pending',
        score: null,
        submission: null,
        graded_from: open?.number ?? row.attempts + 1,
        extra_attempts: row.extra_attempts + (extra_attempts ?? missingAttempts({ row, module })),
      }
  }
}

/** A reset without `extra_attempts` gives one attempt if none is left. */
function missingAttempts({ row, module }: Pick<OwnModule, 'row' | 'module'>): number {
  const max = module.quiz?.max_attempts
  return max && row.attempts >= max + row.extra_attempts ? 1 : 0
}
