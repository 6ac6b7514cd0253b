import type { TenantTx } from '#platform/db'
import { attemptsLeftOf, isOpen } from '../progress/progress.rules.ts'
import { type LockedEnrollment, recordModule } from '../progress/record-progress.service.ts'
import type { AttemptRow } from '../quizzes/attempt-row.ts'
import { listGradedAttempts, updateAttemptRow } from '../quizzes/attempts.queries.ts'
import { gradeModule, gradeQuiz, type QuizResult } from '../quizzes/grading.rules.ts'
import type { Answer } from '../quizzes/questions.schemas.ts'
import type { EnrollmentModuleRow, EnrollmentRow } from '../records/enrollment-row.ts'
import type { ModuleState, QuizSettings } from '../records/learning.schemas.ts'

type Graded = { result: QuizResult; enrollment: EnrollmentRow; attempt: AttemptRow }
type GradeInput = {
  row: EnrollmentModuleRow
  quiz: QuizSettings
  attempt: AttemptRow
  answers: readonly Answer[]
  state: 'submitted' | 'expired'
}

/** Grades an open attempt of a locked enrollment, then the module from all attempts that count. */
export async function gradeAttempt(
  tx: TenantTx,
  locked: LockedEnrollment,
  { row, quiz, attempt, answers, state }: GradeInput,
): Promise<Graded> {
  const result = gradeQuiz(attempt.questions, answers, quiz)
  const { earned, score, passed } = result
  const graded = await updateAttemptRow(tx, attempt.id, {
    state,
    answers: JSON.stringify(answers),
    submitted_at: locked.now,
    earned,
    score,
    passed,
  })
  if (!isOpen(locked.enrollment) || row.state === 'waived' || row.state === 'removed')
    return { result, enrollment: locked.enrollment, attempt: graded }
  const module = gradeModule(await listGradedAttempts(tx, row, row.graded_from), quiz)
  const counted = { ...row, attempts: Math.max(row.attempts, attempt.number) }
  const moduleState = stateOf(module.passed, attemptsLeftOf(counted, quiz))
  const enrollment = await recordModule(tx, locked, row, {
    state: moduleState,
    score: module.score,
    attempts: counted.attempts,
    completed_at: moduleState === 'completed' ? (row.completed_at ?? locked.now) : null,
  })
  return { result, enrollment, attempt: graded }
}

const stateOf = (hasPassed: boolean, attemptsLeft: number | null): ModuleState => {
  if (hasPassed) return 'completed'
  return attemptsLeft === 0 ? 'failed' : 'in_progress'
}
