import type { TenantTx } from '#platform/db'
import { findAttempt } from '../quizzes/attempts.queries.ts'
import { listEnrollmentModules, lockEnrollments } from '../records/enrollments.queries.ts'
import { listModulesByIds } from '../records/modules.queries.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import { isExpired } from './attempts.service.ts'
import type { OverdueAttempt } from './expire-attempts.queries.ts'
import { gradeAttempt } from './grade-attempt.service.ts'

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
