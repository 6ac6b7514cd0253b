import { assertAssignable, filterActiveUserIds } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, invalidTransition } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { cadenceResumed } from '../../marketing.events.ts'
import { type CadenceRow, getCadenceRow, lockCadenceShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments, exitEnrollments, pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { type EnrollmentRow, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { notifyChosenSender } from '../cadence-runs/cadence-notifications.ts'
import { planRuns } from '../cadence-runs/plan-runs.service.ts'
import { reassignEnrollments } from '../cadence-runs/reassign-enrollments.service.ts'
import { assertMayChooseSender, assertMayTakeOver } from './chosen-sender.service.ts'
import { getEnrollment } from './enrollments.queries.ts'
import type { CadenceEnrollment, EnrollmentChanges } from './enrollments.schemas.ts'
import { toEnrollment } from './list-enrollments.service.ts'

const transitions: Record<EnrollmentRow['status'], readonly string[]> = {
  active: ['paused', 'exited'],
  paused: ['active', 'paused', 'exited'],
  completed: [],
  exited: [],
}

export async function updateCadenceEnrollment(
  tx: TenantTx,
  actor: UserActor,
  { cadenceId, enrollmentId }: { cadenceId: string; enrollmentId: string },
  { status, paused_until, sender_id }: EnrollmentChanges,
  { clock }: Pick<Services, 'clock'>,
): Promise<CadenceEnrollment> {
  const now = clock.now()
  const until = paused_until ? new Date(paused_until) : null
  assertPauseTime(status, until, now)
  const found = await getEnrollment(tx, cadenceId, enrollmentId)
  if (sender_id !== undefined && sender_id !== found.sender_id)
    await changeSender(tx, actor, found, { senderId: sender_id, now })
  if (status) await updateStatus(tx, found, { status, until, now })
  return await toEnrollment(tx, await getEnrollment(tx, cadenceId, enrollmentId))
}

async function changeSender(
  tx: TenantTx,
  actor: UserActor,
  { id, status, cadence_id, sender_id: fromSenderId }: EnrollmentRow,
  { senderId, now }: { senderId: string; now: Date },
): Promise<void> {
  if (status === 'completed' || status === 'exited')
    throw conflict(
      'invalid_transition',
      'The sender of an enrollment that has ended cannot change. Enroll the person again.',
      { from: status, allowed: [] },
    )
  await assertAssignable(tx, senderId, '/sender_id')
  await assertMayChooseSender(tx, actor, senderId)
  await assertMayTakeOver(tx, actor, fromSenderId)
  if (!(await reassignEnrollments(tx, [id], { fromSenderId, senderId, now })).length)
    throw conflict('conflict', 'The enrollment changed at the same time. Repeat the request.')
  await notifyChosenSender(tx, await getCadenceRow(tx, cadence_id), { senderId, requestKey: newId() })
}

async function updateStatus(tx: TenantTx, found: EnrollmentRow, { status, until, now }: StatusChange): Promise<void> {
  const cadence = await lockCadenceShared(tx, found.cadence_id)
  const [enrollment] = await lockEnrollments(tx, [found.id])
  if (isUnchanged(enrollment!, status, until)) return
  assertTransition(enrollment!, status)
  if (status === 'active') await assertSenderActive(tx, enrollment!)
  await changeStatus(tx, cadence, enrollment!, { status, until, now })
  await recordAudit(tx, 'cadence.enrollment_updated', {
    id: cadence.id,
    label: cadence.name,
    before: { enrollment_id: found.id, status: enrollment!.status },
    after: { enrollment_id: found.id, status },
  })
}

/** The enrollment would be paused again at its next step. */
async function assertSenderActive(tx: TenantTx, { sender_id }: EnrollmentRow): Promise<void> {
  if (sender_id === null || !(await filterActiveUserIds(tx, [sender_id])).has(sender_id))
    throw conflict('no_sender', 'The sender of the enrollment is not active. Send `sender_id` with an active user.')
}

type RequestedStatus = NonNullable<EnrollmentChanges['status']>

function assertPauseTime(status: RequestedStatus | undefined, until: Date | null, now: Date): void {
  if (until === null) return
  if (status !== 'paused')
    throw invalid('body', '/paused_until', 'unexpected', '`paused_until` is allowed only with the status `paused`.')
  if (until <= now) throw invalid('body', '/paused_until', 'future', '`paused_until` must be in the future.')
}

const isUnchanged = (enrollment: EnrollmentRow, status: string, until: Date | null): boolean =>
  enrollment.status === status && (status !== 'paused' || isPausedBy(enrollment, until))

/** A pause by a user replaces other reasons, so that it does not end with them. */
const isPausedBy = ({ paused_reason, paused_until }: EnrollmentRow, until: Date | null): boolean =>
  paused_reason === 'manual' && (until?.getTime() ?? null) === (paused_until?.getTime() ?? null)

function assertTransition({ status: from }: EnrollmentRow, to: RequestedStatus): void {
  const allowed = transitions[from]
  if (!allowed.includes(to))
    throw invalidTransition(`An enrollment cannot change from ${from} to ${to}.`, { from, to, allowed })
}

type StatusChange = { status: RequestedStatus; until: Date | null; now: Date }

async function changeStatus(
  tx: TenantTx,
  cadence: CadenceRow,
  enrollment: EnrollmentRow,
  { status, until, now }: StatusChange,
): Promise<void> {
  if (status === 'exited') await exitEnrollments(tx, [enrollment.id], 'removed', now)
  else if (status === 'paused') await pauseEnrollments(tx, [enrollment.id], { reason: 'manual', until })
  else {
    await planRuns(tx, { cadence, enrollments: [enrollment], now })
    await emitEnrollments(tx, cadenceResumed, [enrollment])
  }
}
