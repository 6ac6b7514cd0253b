import { decimal, roundHalfUp, sumOf } from '#platform/decimal'
import type { EnrollmentModuleRow } from '../records/enrollment-row.ts'
import type { EnrollmentStatus, ModuleState } from '../records/learning.schemas.ts'

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
