import { isOpen, type Progress } from '../progress/progress.rules.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import type { EnrollmentStatus } from '../records/learning.schemas.ts'

type Withdrawn = Pick<EnrollmentRow, 'started_at'> & Pick<Progress, 'outcome'>

/**
 * The status before the withdrawal, or the one that follows from modules that changed since then. An enrollment that lacks nothing
 * any more is open until `refreshEnrollment` completes it. An open one stays withdrawn if the user was enrolled again.
 */
export function restoredStatus(
  { started_at, outcome }: Withdrawn,
  { hasOpenCycle }: { hasOpenCycle: boolean },
): EnrollmentStatus {
  const status = outcome === 'failed' ? 'failed' : started_at ? 'in_progress' : 'not_started'
  return isOpen({ status }) && hasOpenCycle ? 'withdrawn' : status
}
