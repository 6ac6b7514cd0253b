import { recordAudit } from '#platform/audit'
import { type TenantTx, violatedConstraint, withSavepoint } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { issueCertificate } from '../certificates/certificates.service.ts'
import { enrollmentCompleted, enrollmentFailed, enrollmentProgressed, enrollmentStarted } from '../learning.events.ts'
import type { EnrollmentModuleRow, EnrollmentRow } from '../records/enrollment-row.ts'
import { listEnrollmentModules, updateEnrollmentModule, updateEnrollmentRow } from '../records/enrollments.queries.ts'
import type { EnrollmentStatus } from '../records/learning.schemas.ts'
import type { PathRow } from '../records/path-row.ts'
import { deriveProgress, type Progress } from './progress.rules.ts'
import { notifyFailed } from './progress-notifications.ts'

export type LockedEnrollment = { enrollment: EnrollmentRow; path: PathRow; now: Date }

export type ModuleChange = Parameters<typeof updateEnrollmentModule>[2]

/** Changes a module of a locked enrollment, and what follows from it. Returns the changed enrollment. */
export async function recordModule(
  tx: TenantTx,
  locked: LockedEnrollment,
  module: EnrollmentModuleRow,
  change: ModuleChange,
): Promise<EnrollmentRow> {
  const { enrollment, path } = locked
  const changed = await updateEnrollmentModule(tx, module, change)
  const { module_id, state } = changed
  const score = changed.score === null ? null : Number(changed.score)
  if (state !== module.state || changed.score !== module.score) {
    const { id, path_id, user_id } = enrollment
    await recordAudit(tx, 'learning_enrollment.progressed', {
      id,
      label: path.title,
      before: { module_id, state: module.state, score: module.score },
      after: { module_id, state, score: changed.score },
    })
    await emit(tx, enrollmentProgressed, enrollment, { path_id, user_id, module_id, state, score })
  }
  return await refreshEnrollment(tx, locked, { hasActivity: true, failedModuleId: module_id })
}

type RefreshInput = { hasActivity: boolean; failedModuleId?: string }

/** Derives progress, score and status of a locked enrollment from its modules, and issues the certificate. */
export async function refreshEnrollment(
  tx: TenantTx,
  { enrollment, path, now }: LockedEnrollment,
  { hasActivity, failedModuleId }: RefreshInput,
): Promise<EnrollmentRow> {
  if (enrollment.status === 'completed' || enrollment.status === 'withdrawn') return enrollment
  const progress = deriveProgress(await listEnrollmentModules(tx, [enrollment.id]))
  const status = nextStatus(enrollment, progress, hasActivity)
  const isStarted = status !== 'not_started' && enrollment.started_at === null
  const isSame =
    status === enrollment.status &&
    !isStarted &&
    Number(enrollment.progress_rate) === progress.progress_rate &&
    toNumber(enrollment.score) === progress.score
  if (isSame) return enrollment
  const updated = await reopenUniquely(tx, () =>
    updateEnrollmentRow(tx, enrollment.id, {
      progress_rate: progress.progress_rate,
      score: progress.score,
      status,
      ...(isStarted && { started_at: now }),
      ...(status === 'completed' && { completed_at: now, earns_certificate: path.certificate.enabled }),
    }),
  )
  const { path_id, user_id } = updated
  if (isStarted) await emit(tx, enrollmentStarted, updated, { path_id, user_id })
  if (status === enrollment.status) return updated
  await recordAudit(tx, 'learning_enrollment.updated', {
    id: updated.id,
    label: path.title,
    before: { status: enrollment.status },
    after: { status },
  })
  if (status === 'completed') {
    await emit(tx, enrollmentCompleted, updated, { path_id, user_id, score: progress.score })
    if (path.certificate.enabled) await issueCertificate(tx, updated, path, now)
  }
  if (status === 'failed' && failedModuleId) {
    await emit(tx, enrollmentFailed, updated, { path_id, user_id, module_id: failedModuleId })
    await notifyFailed(tx, updated, path)
  }
  return updated
}

/** A failed enrollment does not open again while the user has an open one of a later cycle. */
async function reopenUniquely<T>(tx: TenantTx, write: () => Promise<T>): Promise<T> {
  try {
    return await withSavepoint(tx, write)
  } catch (error) {
    if (violatedConstraint(error) !== 'learning_enrollments_open_unique') throw error
    throw conflict('enrollment_closed', 'The user was enrolled in the path again. Review that enrollment instead.')
  }
}

const toNumber = (value: string | null): number | null => (value === null ? null : Number(value))

function nextStatus({ status }: EnrollmentRow, { outcome }: Progress, hasActivity: boolean): EnrollmentStatus {
  if (outcome !== 'open') return outcome
  return hasActivity || status === 'failed' ? 'in_progress' : status
}
