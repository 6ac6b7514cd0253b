import { daysLater } from '#platform/clock'
import type { EnrollmentModuleRow, EnrollmentRow } from '../records/enrollment-row.ts'
import type { ModuleRow } from '../records/module-row.ts'
import type { PathRow } from '../records/path-row.ts'
import { isDone } from './progress.rules.ts'

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
