import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import type { ModuleRow } from '../records/module-row.ts'
import type { PathRow } from '../records/path-row.ts'
import {
  addModuleTo,
  copyOrder,
  fillEmptied,
  listCompletableIds,
  lockOpenEnrollments,
  recalculateProgress,
  setModuleState,
} from './apply-modules.queries.ts'
import { completeEnrollmentsJob } from './complete-enrollments.jobs.ts'

const openStates = ['pending', 'in_progress', 'submitted', 'failed']

type Added = { path: PathRow; module: ModuleRow; appliesTo: 'open' | 'new' }

/** Gives open enrollments a new module. With `new`, only later enrollments get it. The path must be locked. */
export async function applyAddedModule(tx: TenantTx, { path, module, appliesTo }: Added): Promise<void> {
  const enrollmentIds = await lockOpenEnrollments(tx, path.id)
  if (appliesTo === 'open') await addModuleTo(tx, enrollmentIds, module.id)
  await copyOrder(tx, enrollmentIds)
  await recalculateProgress(tx, enrollmentIds, { revision: appliesTo === 'open' ? path.revision : null })
}

/** Removes a module from open enrollments; those that lack nothing else are completed by a job. */
export async function applyRemovedModule(tx: TenantTx, path: PathRow, { id }: ModuleRow): Promise<void> {
  const enrollmentIds = await lockOpenEnrollments(tx, path.id)
  await setModuleState(tx, enrollmentIds, id, { state: 'removed', from: [...openStates, 'completed', 'waived'] })
  await fillEmptied(tx, enrollmentIds, path.id)
  await copyOrder(tx, enrollmentIds)
  await recalculateProgress(tx, enrollmentIds, { revision: path.revision })
  await completeLater(tx, path)
}

/** Excuses open enrollments from a module that cannot be completed any more. */
export async function waiveModule(tx: TenantTx, path: PathRow, { id }: ModuleRow): Promise<void> {
  const enrollmentIds = await lockOpenEnrollments(tx, path.id)
  await setModuleState(tx, enrollmentIds, id, { state: 'waived', from: openStates })
  await recalculateProgress(tx, enrollmentIds, { revision: null })
  await completeLater(tx, path)
}

/** Copies a changed order and required modules to open enrollments. */
export async function applyChangedModules(tx: TenantTx, path: PathRow): Promise<void> {
  const enrollmentIds = await lockOpenEnrollments(tx, path.id)
  await copyOrder(tx, enrollmentIds)
  await fillEmptied(tx, enrollmentIds, path.id)
  await recalculateProgress(tx, enrollmentIds, { revision: null })
  await completeLater(tx, path)
}

async function completeLater(tx: TenantTx, { id }: PathRow): Promise<void> {
  const [completable] = await listCompletableIds(tx, id, { after: nilUuid, limit: 1 })
  if (completable) await enqueue(tx, completeEnrollmentsJob, { path_id: id })
}
