import { canCoach } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, roleRequired } from '#platform/errors'
import type { EnrollmentModuleRow, EnrollmentRow } from '../records/enrollment-row.ts'
import { findEnrollment, listEnrollmentModules, lockEnrollment } from '../records/enrollments.queries.ts'
import type { ModuleRow } from '../records/module-row.ts'
import { listModulesByIds } from '../records/modules.queries.ts'
import type { PathRow } from '../records/path-row.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import { listOpenPrerequisites } from './prerequisites.queries.ts'
import { isOpen, type LockReason, listLockReasons } from './progress.rules.ts'

export type VisibleEnrollment = { enrollment: EnrollmentRow; path: PathRow; isLearner: boolean; isCoach: boolean }

/** The learner, coaches of the learner and the owner of the path see an enrollment; for others it does not exist. */
async function readAccess(tx: TenantTx, actor: UserActor, enrollment: EnrollmentRow): Promise<VisibleEnrollment> {
  const [path] = await listPathsIncludingDeleted(tx, [enrollment.path_id])
  const isLearner = enrollment.user_id === actor.userId
  const isCoach = !isLearner && (path!.owner_id === actor.userId || (await canCoach(tx, actor, enrollment.user_id)))
  if (!isLearner && !isCoach) throw notFound('enrollment')
  return { enrollment, path: path!, isLearner, isCoach }
}

export async function getVisibleEnrollment(tx: TenantTx, actor: UserActor, id: string): Promise<VisibleEnrollment> {
  const enrollment = await findEnrollment(tx, id)
  if (!enrollment) throw notFound('enrollment')
  return await readAccess(tx, actor, enrollment)
}

export async function lockVisibleEnrollment(tx: TenantTx, actor: UserActor, id: string): Promise<VisibleEnrollment> {
  return await readAccess(tx, actor, await lockEnrollment(tx, id))
}

export type OwnModule = { row: EnrollmentModuleRow; module: ModuleRow; rows: readonly EnrollmentModuleRow[] }

export async function getOwnModule(tx: TenantTx, { id }: EnrollmentRow, moduleId: string): Promise<OwnModule> {
  const rows = await listEnrollmentModules(tx, [id])
  const row = rows.find(({ module_id, state }) => module_id === moduleId && state !== 'removed')
  const [module] = row ? await listModulesByIds(tx, [moduleId]) : []
  if (!row || !module) throw notFound('module')
  return { row, module, rows }
}

/** Locks the enrollment of the caller. Coaches see it but cannot learn for others. */
export async function lockOwnEnrollment(tx: TenantTx, actor: UserActor, id: string): Promise<VisibleEnrollment> {
  const visible = await lockVisibleEnrollment(tx, actor, id)
  if (!visible.isLearner) throw roleRequired('Only the learner can do this.')
  return visible
}

export function assertOpen({ status }: EnrollmentRow): void {
  if (!isOpen({ status }))
    throw conflict(
      'enrollment_closed',
      `The enrollment is ${status}, so its modules no longer change. A new enrollment starts again.`,
      {
        enrollment_status: status,
      },
    )
}

type Learning = Pick<VisibleEnrollment, 'enrollment' | 'path'>

export async function readLockReasons(
  tx: TenantTx,
  { enrollment, path }: Learning,
  { module, rows }: OwnModule,
  now: Date,
): Promise<LockReason[]> {
  const openPathIds = await listOpenPrerequisites(tx, path.id, enrollment.user_id)
  return listLockReasons(module, { path, enrollment, modules: rows, openPathIds, now })
}

export async function assertUnlocked(tx: TenantTx, learning: Learning, own: OwnModule, now: Date): Promise<void> {
  const locked_by = await readLockReasons(tx, learning, own, now)
  if (locked_by.length)
    throw conflict('module_locked', 'The module is locked. Complete the modules in `locked_by` first.', { locked_by })
}
