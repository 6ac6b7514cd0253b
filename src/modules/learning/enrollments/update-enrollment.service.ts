import { timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { assertVersion, conflict, invalid, invalidTransition, roleRequired } from '#platform/errors'
import { emit } from '#platform/outbox'
import { enrollmentUpdated, enrollmentWithdrawn } from '../learning.events.ts'
import type { EnrollmentDetails } from '../progress/enrollment.schemas.ts'
import { lockVisibleEnrollment } from '../progress/enrollment-access.service.ts'
import { presentEnrollmentDetails } from '../progress/enrollment-details.service.ts'
import { isOpen } from '../progress/progress.rules.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import { updateEnrollmentRow } from '../records/enrollments.queries.ts'
import type { PathRow } from '../records/path-row.ts'
import type { EnrollmentChanges } from './enrollments.schemas.ts'

type UpdateInput = { changes: EnrollmentChanges; expectedVersion?: number; now: Date }

/** Coaches change the due date and withdraw; learners withdraw if the enrollment is not mandatory. */
export async function updateLearningEnrollment(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: { due_on, status }, expectedVersion, now }: UpdateInput,
): Promise<EnrollmentDetails> {
  const { enrollment, path, isCoach } = await lockVisibleEnrollment(tx, actor, id)
  assertVersion(enrollment, expectedVersion)
  if (due_on !== undefined && !isCoach) throw roleRequired('Only a coach can change the due date.')
  if (status && !isCoach && enrollment.is_mandatory)
    throw roleRequired('The enrollment is mandatory. Only a coach can withdraw it.')
  let updated = enrollment
  if (due_on !== undefined && due_on !== enrollment.due_on) {
    if (!isOpen(enrollment))
      throw conflict(
        'enrollment_closed',
        `The enrollment is ${enrollment.status}, so its due date cannot change. A new enrollment has its own.`,
      )
    await assertDueOn(tx, due_on, now)
    updated = await updateEnrollmentRow(tx, id, { due_on })
    const { path_id, user_id } = updated
    await recordAudit(tx, 'learning_enrollment.updated', {
      id,
      label: path.title,
      before: { due_on: enrollment.due_on },
      after: { due_on },
    })
    await emit(tx, enrollmentUpdated, updated, { path_id, user_id, changed: ['due_on'] })
  }
  const isWithdrawn = updated.status === 'withdrawn' && updated.deactivated_revision === null
  if (status && !isWithdrawn) updated = await withdrawEnrollment(tx, updated, path)
  return await presentEnrollmentDetails(tx, updated, { now })
}

export async function assertDueOn(tx: TenantTx, dueOn: string | null | undefined, now: Date): Promise<void> {
  if (dueOn && dueOn < dayInTimezone(now, await timezoneOf(tx)))
    throw invalid('body', '/due_on', 'minimum', '`due_on` must not be in the past.')
}

/** Withdraws a locked enrollment that is open or failed. After a deactivation of the user, the next reactivation restores it. */
export async function withdrawEnrollment(
  tx: TenantTx,
  enrollment: EnrollmentRow,
  { title }: Pick<PathRow, 'title'>,
  { deactivatedRevision = null }: { deactivatedRevision?: number | null } = {},
): Promise<EnrollmentRow> {
  const { id, status, path_id, user_id } = enrollment
  if (!isOpen(enrollment) && status !== 'failed' && enrollment.deactivated_revision === null)
    throw invalidTransition(`An enrollment that is ${status} cannot be withdrawn.`, {
      from: status,
      to: 'withdrawn',
      allowed: [],
    })
  const withdrawn = await updateEnrollmentRow(tx, id, {
    status: 'withdrawn',
    deactivated_revision: deactivatedRevision,
  })
  await recordAudit(tx, 'learning_enrollment.withdrawn', {
    id,
    label: title,
    before: { status },
    after: { status: 'withdrawn', reason: deactivatedRevision === null ? null : 'deactivated' },
  })
  await emit(tx, enrollmentWithdrawn, withdrawn, { path_id, user_id })
  return withdrawn
}
