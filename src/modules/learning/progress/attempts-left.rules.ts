import { secondsLater } from '#platform/clock'
import type { EnrollmentModuleRow } from '../records/enrollment-row.ts'
import type { QuizSettings } from '../records/learning.schemas.ts'

type Counted = Pick<EnrollmentModuleRow, 'attempts' | 'extra_attempts'>

/** Null: any number. An open attempt is counted. */
export const attemptsLeftOf = (
  { attempts, extra_attempts }: Counted,
  { max_attempts }: Pick<QuizSettings, 'max_attempts'>,
): number | null => (max_attempts === null ? null : Math.max(0, max_attempts + extra_attempts - attempts))

/** The end of the pause after the last attempt, if it is in the future. */
export function nextAttemptAt(
  lastSubmittedAt: Date | null,
  { cooldown_minutes }: Pick<QuizSettings, 'cooldown_minutes'>,
  now: Date,
): Date | null {
  if (!lastSubmittedAt || cooldown_minutes === 0) return null
  const next = secondsLater(lastSubmittedAt, cooldown_minutes * 60)
  return next > now ? next : null
}
