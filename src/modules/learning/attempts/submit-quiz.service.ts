import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { assertOpen } from '../progress/enrollment-access.service.ts'
import { presentEnrollmentDetails } from '../progress/enrollment-details.service.ts'
import { attemptsLeftOf, nextAttemptAt } from '../progress/progress.rules.ts'
import { requiresAttempt } from '../progress/quiz-questions.rules.ts'
import { assertAnswersFit } from '../quizzes/answers.rules.ts'
import type { AttemptRow } from '../quizzes/attempt-row.ts'
import { findAttempt, findOpenAttempt } from '../quizzes/attempts.queries.ts'
import type { QuizOutcome, SubmittedAnswers } from './attempts.schemas.ts'
import {
  assertAttemptOpen,
  assertMayAttempt,
  createAttempt,
  lockOwnQuiz,
  type ModuleIds,
  type OwnQuiz,
} from './attempts.service.ts'
import { gradeAttempt } from './grade-attempt.service.ts'
import { presentReview } from './review-policy.rules.ts'

type SubmitInput = { submitted: SubmittedAnswers; now: Date }

export async function submitQuiz(
  tx: TenantTx,
  actor: UserActor,
  ids: ModuleIds,
  { submitted: { answers, attempt_id }, now }: SubmitInput,
): Promise<QuizOutcome> {
  const locked = await lockOwnQuiz(tx, actor, ids, now)
  const { row, module } = locked.own
  const { quiz } = module
  const attempt = await findAttemptToSubmit(tx, locked, attempt_id)
  assertAnswersFit(attempt.questions, answers)
  const graded = await gradeAttempt(tx, locked, { row, quiz, attempt, answers, state: 'submitted' })
  const enrollment = await presentEnrollmentDetails(tx, graded.enrollment, { now })
  const shown = enrollment.modules.find(({ module_id }) => module_id === row.module_id)!
  const attemptsLeft = attemptsLeftOf({ ...row, attempts: shown.attempts }, quiz)
  const { earned, possible, score, passed } = graded.result
  return {
    attempt: { id: attempt.id, number: attempt.number, score, passed, earned, possible },
    module_state: shown.state,
    attempts_left: attemptsLeft,
    next_attempt_at: nextAttemptAt(now, quiz, now),
    review: presentReview(graded.result, quiz.review, { hasPassed: shown.state === 'completed', attemptsLeft }),
    enrollment,
    certificate: enrollment.certificate,
  }
}

/** Without an attempt id, the open attempt is submitted, or a new one if the quiz needs none. */
async function findAttemptToSubmit(tx: TenantTx, locked: OwnQuiz, attemptId: string | undefined): Promise<AttemptRow> {
  const { enrollment, own, now } = locked
  if (attemptId !== undefined) {
    const attempt = await findAttempt(tx, attemptId, own.row)
    if (!attempt) throw notFound('attempt')
    assertAttemptOpen(attempt, now)
    assertOpen(enrollment)
    return attempt
  }
  const open = await findOpenAttempt(tx, own.row)
  if (!open) await assertMayAttempt(tx, locked)
  if (requiresAttempt(own.module.quiz))
    throw conflict(
      'attempt_required',
      'The quiz is timed or has drawn questions. Start it, then send its `attempt_id`.',
    )
  if (!open) return await createAttempt(tx, locked)
  // The quiz had a time limit when the attempt was started, and may have none now.
  assertAttemptOpen(open, now)
  assertOpen(enrollment)
  return open
}
