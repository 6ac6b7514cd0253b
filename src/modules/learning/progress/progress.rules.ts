import { daysLater, secondsLater } from '#platform/clock'
import { decimal, roundHalfUp, sumOf } from '#platform/decimal'
import type { EnrollmentModuleRow, EnrollmentRow } from '../records/enrollment-row.ts'
import type { EnrollmentStatus, ModuleState, QuizSettings } from '../records/learning.schemas.ts'
import type { ModuleRow } from '../records/module-row.ts'
import type { PathRow } from '../records/path-row.ts'

const doneStates: readonly ModuleState[] = ['completed', 'waived']

export const isDone = ({ state }: Pick<EnrollmentModuleRow, 'state'>): boolean => doneStates.includes(state)

export const isOpen = ({ status }: { status: EnrollmentStatus }): boolean =>
  status === 'not_started' || status === 'in_progress'

type Graded = Pick<EnrollmentModuleRow, 'is_required' | 'state' | 'score'>

export type Progress = { progress_rate: number; score: number | null; outcome: 'open' | 'completed' | 'failed' }

/** Derives progress, score and outcome from the modules of an enrollment. Without any required module an enrollment is not completed. */
export function deriveProgress(modules: readonly Graded[]): Progress {
  const required = modules.filter(({ is_required, state }) => is_required && state !== 'removed')
  const done = required.filter(isDone).length
  const scores = required.flatMap(({ score }) => (score === null ? [] : [decimal(score)]))
  const isCompleted = required.length > 0 && done === required.length
  const hasFailed = required.some(({ state }) => state === 'failed')
  return {
    progress_rate: required.length ? roundHalfUp(decimal(done).div(required.length), 4) : 0,
    score: scores.length ? roundHalfUp(sumOf(scores).div(scores.length), 2) : null,
    outcome: isCompleted ? 'completed' : hasFailed ? 'failed' : 'open',
  }
}

export const lockReasons = ['previous_module', 'prerequisite_module', 'prerequisite_path', 'not_yet'] as const

export type LockReason = { reason: (typeof lockReasons)[number]; ref: string | null; until: Date | null }

export type LockContext = {
  path: Pick<PathRow, 'ordering'>
  enrollment: Pick<EnrollmentRow, 'created_at'>
  /** The own list of the enrollment. */
  modules: readonly Pick<EnrollmentModuleRow, 'module_id' | 'position' | 'is_required' | 'state'>[]
  /** Prerequisite paths that the learner has not completed. */
  openPathIds: readonly string[]
  now: Date
}

/** Lists what a learner must do or wait for before the module; nothing if the module is unlocked. */
export function listLockReasons(module: ModuleRow, context: LockContext): LockReason[] {
  const { path, enrollment, modules, openPathIds, now } = context
  const own = modules.find(({ module_id }) => module_id === module.id)
  const open = modules.filter((one) => one.state !== 'removed' && !isDone(one))
  const previous =
    path.ordering === 'sequential' && own
      ? open.filter(({ is_required, position }) => is_required && position < own.position)
      : []
  const prerequisites = open.filter(({ module_id }) => module.prerequisite_module_ids.includes(module_id))
  const times = [
    module.unlock_at,
    module.unlock_after_days === null ? null : daysLater(enrollment.created_at, module.unlock_after_days),
  ]
  return [
    ...previous.map(({ module_id }) => reasonOf('previous_module', module_id)),
    ...prerequisites.map(({ module_id }) => reasonOf('prerequisite_module', module_id)),
    ...openPathIds.map((id) => reasonOf('prerequisite_path', id)),
    ...times.flatMap((until) => (until && until > now ? [{ reason: 'not_yet' as const, ref: null, until }] : [])),
  ]
}

const reasonOf = (reason: LockReason['reason'], ref: string): LockReason => ({ reason, ref, until: null })

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

export const maxMinSeconds = 7_200
const shareOfDuration = 0.5

/** Seconds that the content of a module must be used. A video without a setting of the author follows the duration of its current file. */
export function minSecondsOf(
  { kind, min_seconds }: Pick<ModuleRow, 'kind' | 'min_seconds'>,
  durationSeconds: number | undefined,
): number {
  if (min_seconds !== null) return min_seconds
  return kind === 'video' ? Math.min(Math.ceil((durationSeconds ?? 0) * shareOfDuration), maxMinSeconds) : 0
}
