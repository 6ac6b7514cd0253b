import type { UserActor } from '#platform/access'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import {
  assertOpen,
  assertUnlocked,
  getOwnModule,
  lockOwnEnrollment,
  type OwnModule,
  type VisibleEnrollment,
} from '../progress/enrollment-access.service.ts'
import { attemptsLeftOf, nextAttemptAt } from '../progress/progress.rules.ts'
import { orderOptions, orderQuestions, presentQuestions, seedOf } from '../progress/quiz-questions.rules.ts'
import { recordModule } from '../progress/record-progress.service.ts'
import { assertAnswersFit } from '../quizzes/answers.rules.ts'
import type { AttemptRow } from '../quizzes/attempt-row.ts'
import {
  findAttempt,
  findOpenAttempt,
  insertAttempt,
  listGradedAttempts,
  updateAttemptRow,
} from '../quizzes/attempts.queries.ts'
import { drawQuestions } from '../quizzes/draw-questions.rules.ts'
import { listActiveQuestionsOfBanks, listQuestionsOfModules } from '../quizzes/questions.queries.ts'
import type { Answer } from '../quizzes/questions.schemas.ts'
import { listEnrollmentModules, lockEnrollments } from '../records/enrollments.queries.ts'
import type { QuizModule } from '../records/module-row.ts'
import { listModulesByIds } from '../records/modules.queries.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import type { Attempt } from './attempts.schemas.ts'
import type { OverdueAttempt } from './expire-attempts.queries.ts'
import { gradeAttempt } from './grade-attempt.service.ts'

/** Answers that arrive this late still count, because a submission takes a while. */
export const graceSeconds = 30

export type ModuleIds = { enrollmentId: string; moduleId: string }
export type OwnQuiz = VisibleEnrollment & { own: OwnModule & { module: QuizModule }; now: Date }

export async function lockOwnQuiz(
  tx: TenantTx,
  actor: UserActor,
  { enrollmentId, moduleId }: ModuleIds,
  now: Date,
): Promise<OwnQuiz> {
  const visible = await lockOwnEnrollment(tx, actor, enrollmentId)
  const own = await getOwnModule(tx, visible.enrollment, moduleId)
  const { quiz } = own.module
  if (!quiz) throw conflict('not_a_quiz', 'The module is not a quiz. Only quizzes have attempts.')
  return { ...visible, own: { ...own, module: { ...own.module, quiz } }, now }
}

/** Returns the open attempt, or draws questions and opens a new one. An expired one is graded first. */
export async function startQuiz(
  tx: TenantTx,
  actor: UserActor,
  ids: ModuleIds,
  { now }: { now: Date },
): Promise<{ attempt: Attempt; isNew: boolean }> {
  let locked = await lockOwnQuiz(tx, actor, ids, now)
  const open = await findOpenAttempt(tx, locked.own.row)
  if (open && !isExpired(open, now)) {
    assertOpen(locked.enrollment)
    return { attempt: presentAttempt(open), isNew: false }
  }
  if (open) {
    const { row, module } = locked.own
    const { quiz } = module
    await gradeAttempt(tx, locked, { row, quiz, attempt: open, answers: open.answers, state: 'expired' })
    locked = await lockOwnQuiz(tx, actor, ids, now)
  }
  await assertMayAttempt(tx, locked)
  const attempt = await createAttempt(tx, locked)
  const { row } = locked.own
  await recordModule(tx, locked, row, {
    state: row.state === 'completed' ? 'completed' : 'in_progress',
    attempts: attempt.number,
  })
  return { attempt: presentAttempt(attempt), isNew: true }
}

export const isExpired = ({ deadline_at }: AttemptRow, now: Date): boolean =>
  deadline_at !== null && now > secondsLater(deadline_at, graceSeconds)

export const expiredAttempt = () =>
  conflict('attempt_expired', 'The time limit of the attempt has ended. The saved answers are graded.')

/** The questions of an attempt have their options in the order of its start. */
function presentAttempt(attempt: AttemptRow): Attempt {
  const { id, number, state, started_at, deadline_at, questions, answers } = attempt
  return {
    id,
    number,
    state,
    started_at,
    deadline_at,
    questions: presentQuestions(questions, { shuffle_options: false }, seedOf(attempt)),
    answers,
  }
}

/** Whether the learner may begin another attempt; a code for each reason why not. */
export async function assertMayAttempt(tx: TenantTx, locked: OwnQuiz): Promise<void> {
  const { enrollment, own, now } = locked
  const { row, module } = own
  const { quiz } = module
  if (attemptsLeftOf(row, quiz) === 0) throw conflict('no_attempts_left', 'All attempts of the quiz are used.')
  assertOpen(enrollment)
  await assertUnlocked(tx, locked, own, now)
  if (row.state === 'waived') throw conflict('already_passed', 'The quiz was waived.')
  if (row.state === 'completed' && quiz.grading === 'highest')
    throw conflict('already_passed', 'The quiz is passed, and the best attempt counts.')
  const last = (await listGradedAttempts(tx, row, 1)).at(-1)
  const next_attempt_at = nextAttemptAt(last?.submitted_at ?? null, quiz, now)
  if (next_attempt_at) throw conflict('attempt_cooldown', 'The quiz has a pause between attempts.', { next_attempt_at })
}

/** Inserts an open attempt with a copy of its questions in their order. */
export async function createAttempt(tx: TenantTx, { own: { row, module }, now }: OwnQuiz): Promise<AttemptRow> {
  const { quiz } = module
  const { enrollment_id, module_id } = row
  const number = row.attempts + 1
  const [fixed, available] = await Promise.all([
    listQuestionsOfModules(tx, [module_id]),
    quiz.draws.length ? listActiveQuestionsOfBanks(tx, module.bank_ids) : [],
  ])
  const drawn = drawQuestions(quiz.draws, available)
  const seed = seedOf({ enrollment_id, module_id, number })
  const questions = orderOptions(orderQuestions([...fixed, ...drawn], quiz, seed), quiz, seed)
  if (!questions.length)
    throw conflict('not_enough_questions', 'The quiz has no questions. Ask its author to add some.', {
      needed: 1,
      available: 0,
    })
  return await insertAttempt(tx, {
    id: newId(),
    enrollment_id,
    module_id,
    number,
    questions: JSON.stringify(questions),
    started_at: now,
    deadline_at: quiz.time_limit_seconds === null ? null : secondsLater(now, quiz.time_limit_seconds),
    possible: questions.reduce((sum, { points }) => sum + points, 0),
  })
}

/** Saves the answers of an open attempt, so that nothing is lost by a reload or the time limit. */
export async function saveAnswers(
  tx: TenantTx,
  actor: UserActor,
  { attemptId, ...ids }: ModuleIds & { attemptId: string },
  { answers, now }: { answers: readonly Answer[]; now: Date },
): Promise<Attempt> {
  const { enrollment, own } = await lockOwnQuiz(tx, actor, ids, now)
  const attempt = await findAttempt(tx, attemptId, own.row)
  if (!attempt) throw notFound('attempt')
  assertAttemptOpen(attempt, now)
  assertOpen(enrollment)
  assertAnswersFit(attempt.questions, answers)
  const saved = await updateAttemptRow(tx, attemptId, { answers: JSON.stringify(answers) })
  return presentAttempt(saved)
}

export function assertAttemptOpen(attempt: AttemptRow, now: Date): void {
  if (attempt.state === 'expired' || (attempt.state === 'open' && isExpired(attempt, now))) throw expiredAttempt()
  if (attempt.state === 'submitted') throw conflict('already_submitted', 'The attempt was submitted before.')
}

/** Grades the saved answers of an attempt whose time has ended. Does nothing if it was submitted before. */
export async function expireAttempt(
  tx: TenantTx,
  { id, enrollment_id, module_id }: OverdueAttempt,
  now: Date,
): Promise<boolean> {
  const [enrollment] = await lockEnrollments(tx, [enrollment_id])
  if (!enrollment) return false
  const attempt = await findAttempt(tx, id, { enrollment_id, module_id })
  if (attempt?.state !== 'open' || !isExpired(attempt, now)) return false
  const [[path], [module], rows] = await Promise.all([
    listPathsIncludingDeleted(tx, [enrollment.path_id]),
    listModulesByIds(tx, [module_id]),
    listEnrollmentModules(tx, [enrollment_id]),
  ])
  const row = rows.find((own) => own.module_id === module_id)!
  const { quiz } = module!
  const { answers } = attempt
  await gradeAttempt(tx, { enrollment, path: path!, now }, { row, quiz: quiz!, attempt, answers, state: 'expired' })
  return true
}
