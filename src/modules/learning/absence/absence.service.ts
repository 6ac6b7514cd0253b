import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { withdrawEnrollment } from '../enrollments/update-enrollment.service.ts'
import { enrollmentUpdated } from '../learning.events.ts'
import { copyOrder } from '../modules/apply-modules.queries.ts'
import { deriveProgress, isOpen, type Progress } from '../progress/progress.rules.ts'
import { refreshEnrollment } from '../progress/record-progress.service.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import { listEnrollmentModules, lockEnrollments, updateEnrollmentRow } from '../records/enrollments.queries.ts'
import type { EnrollmentStatus } from '../records/learning.schemas.ts'
import type { PathRow } from '../records/path-row.ts'
import { lockPathsShared } from '../records/paths.queries.ts'
import {
  addMissingModules,
  listEnrollmentsToRestore,
  listEnrollmentsToWithdraw,
  listOpenPathIds,
  removeDeletedModules,
  waiveUnavailableModules,
} from './absence.queries.ts'
import { restoredStatus } from './absence.rules.ts'

/**
 * Restores the enrollments that the deactivation of a user withdrew, with what was completed and the current modules of their paths.
 * Those of deleted paths stay withdrawn.
 */
export async function restoreEnrollments(tx: TenantTx, userId: string, now: Date): Promise<void> {
  const found = await listEnrollmentsToRestore(tx, userId)
  const paths = await lockPathsShared(
    tx,
    found.map(({ path_id }) => path_id),
  )
  const pathOf = new Map(paths.map((path) => [path.id, path]))
  const candidates = found.filter(({ path_id }) => pathOf.has(path_id))
  const locked = await lockEnrollments(
    tx,
    candidates.map(({ id }) => id),
  )
  const enrollments = locked.filter(({ deactivated_revision }) => deactivated_revision !== null)
  if (!enrollments.length) return
  const ids = enrollments.map(({ id }) => id)
  await removeDeletedModules(tx, ids)
  await copyOrder(tx, ids)
  await addMissingModules(tx, ids)
  await waiveUnavailableModules(tx, ids)
  const modules = await listEnrollmentModules(tx, ids)
  const openPathIds = new Set(await listOpenPathIds(tx, userId))
  for (const enrollment of enrollments.toSorted((one, other) => other.cycle - one.cycle)) {
    const progress = deriveProgress(modules.filter(({ enrollment_id }) => enrollment_id === enrollment.id))
    const hasOpenCycle = openPathIds.has(enrollment.path_id)
    const status = restoredStatus({ ...enrollment, ...progress }, { hasOpenCycle })
    if (isOpen({ status })) openPathIds.add(enrollment.path_id)
    await restoreEnrollment(tx, enrollment, { path: pathOf.get(enrollment.path_id)!, progress, status, now })
  }
}

type Restored = { path: PathRow; progress: Progress; status: EnrollmentStatus; now: Date }

async function restoreEnrollment(
  tx: TenantTx,
  enrollment: EnrollmentRow,
  { path, progress: { progress_rate, score }, status, now }: Restored,
): Promise<void> {
  const { id, path_id, user_id, deactivated_revision, revision } = enrollment
  const updated = await updateEnrollmentRow(tx, id, {
    status,
    progress_rate,
    score,
    revision: path.revision === deactivated_revision ? revision : path.revision,
    deactivated_revision: null,
  })
  if (status === 'withdrawn') return
  await recordAudit(tx, 'learning_enrollment.updated', {
    id,
    label: path.title,
    before: { status: enrollment.status, reason: 'deactivated' },
    after: { status, reason: null },
  })
  await emit(tx, enrollmentUpdated, updated, { path_id, user_id, changed: ['status'] })
  await refreshEnrollment(tx, { enrollment: updated, path, now }, { hasActivity: false })
}

/** Withdraws the open and failed enrollments of a user until the reactivation. The locks of the paths keep their revisions. */
export async function withdrawEnrollments(tx: TenantTx, userId: string): Promise<void> {
  const found = await listEnrollmentsToWithdraw(tx, userId)
  const paths = await lockPathsShared(
    tx,
    found.map(({ path_id }) => path_id),
  )
  const pathOf = new Map(paths.map((path) => [path.id, path]))
  const enrollments = await lockEnrollments(
    tx,
    found.map(({ id }) => id),
  )
  for (const enrollment of enrollments) {
    const path = pathOf.get(enrollment.path_id)
    if (path && (isOpen(enrollment) || enrollment.status === 'failed'))
      await withdrawEnrollment(tx, enrollment, path, { deactivatedRevision: path.revision })
  }
}
