import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid, invalidTransition } from '#platform/errors'
import type { Services } from '#platform/module'
import { type CadenceRow, lockCadenceShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments, exitEnrollments, pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { type EnrollmentRow, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { planRuns } from '../cadence-runs/plan-runs.service.ts'
import { cadenceResumed } from '../marketing.events.ts'
import { getEnrollment } from './enrollments.queries.ts'
import type { CadenceEnrollment, EnrollmentChanges } from './enrollments.schemas.ts'
import { toEnrollment } from './list-enrollments.service.ts'

const transitions: Record<EnrollmentRow['status'], readonly string[]> = {
  active: ['paused', 'exited'],
  paused: ['active', 'exited'],
  completed: [],
  exited: [],
}

export async function updateCadenceEnrollment(
  tx: TenantTx,
  { cadenceId, enrollmentId }: { cadenceId: string; enrollmentId: string },
  { status, paused_until }: EnrollmentChanges,
  { clock }: Pick<Services, 'clock'>,
): Promise<CadenceEnrollment> {
  const now = clock.now()
  const until = paused_until ? new Date(paused_until) : null
  assertPauseTime(status, until, now)
  await getEnrollment(tx, cadenceId, enrollmentId)
  const cadence = await lockCadenceShared(tx, cadenceId)
  const [enrollment] = await lockEnrollments(tx, [enrollmentId])
  if (isUnchanged(enrollment!, status, until)) return await toEnrollment(tx, enrollment!)
  assertTransition(enrollment!, status)
  await changeStatus(tx, cadence, enrollment!, { status, until, now })
  await recordAudit(tx, 'cadence.enrollment_updated', {
    id: cadenceId,
    label: cadence.name,
    before: { enrollment_id: enrollmentId, status: enrollment!.status },
    after: { enrollment_id: enrollmentId, status },
  })
  return await toEnrollment(tx, await getEnrollment(tx, cadenceId, enrollmentId))
}

function assertPauseTime(status: EnrollmentChanges['status'], until: Date | null, now: Date): void {
  if (until === null) return
  if (status !== 'paused')
    throw invalid('body', '/paused_until', 'unexpected', '`paused_until` is allowed only with the status `paused`.')
  if (until <= now) throw invalid('body', '/paused_until', 'future', '`paused_until` must be in the future.')
}

const isUnchanged = (enrollment: EnrollmentRow, status: string, until: Date | null): boolean =>
  enrollment.status === status &&
  (status !== 'paused' || (until?.getTime() ?? null) === (enrollment.paused_until?.getTime() ?? null))

function assertTransition({ status: from, paused_reason }: EnrollmentRow, to: EnrollmentChanges['status']): void {
  const allowed = transitions[from]
  const isPausedLonger = from === 'paused' && to === 'paused' && paused_reason === 'manual'
  if (!allowed.includes(to) && !isPausedLonger)
    throw invalidTransition(`An enrollment cannot change from ${from} to ${to}.`, { from, to, allowed })
}

type StatusChange = { status: EnrollmentChanges['status']; until: Date | null; now: Date }

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
