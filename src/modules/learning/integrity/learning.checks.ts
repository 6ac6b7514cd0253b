import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { defineRecordCheck, type IntegrityCheck, type Services } from '#platform/module'
import { expireAttempt } from '../attempts/attempts.service.ts'
import { issueCertificate } from '../certificates/certificates.service.ts'
import { refreshEnrollment } from '../progress/record-progress.service.ts'
import { lockEnrollments } from '../records/enrollments.queries.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import {
  findEnrollmentsWithOtherProgress,
  findEnrollmentsWithoutCertificate,
  findForgottenAttempts,
  listAttemptKeys,
} from './integrity.queries.ts'

/** The schedule grades expired attempts every minute. */
const forgottenSeconds = 600

type WithClock = Pick<Services, 'clock'>

export const learningChecks = ({ clock }: WithClock): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'learning_progress_outdated',
    title: 'Enrollment with another progress than its modules',
    severity: 'warning',
    hint: 'A repair derives progress, score and status of the enrollment from its modules.',
    resourceType: 'learning_enrollment',
    find: findEnrollmentsWithOtherProgress,
    repair: (tx, ids) => refreshEnrollments(tx, ids, clock.now()),
  }),
  defineRecordCheck({
    code: 'certificate_missing',
    title: 'Completed enrollment without its certificate',
    severity: 'error',
    hint: 'A repair issues the certificate.',
    resourceType: 'learning_enrollment',
    find: findEnrollmentsWithoutCertificate,
    repair: (tx, ids) => issueCertificates(tx, ids, clock.now()),
  }),
  defineRecordCheck({
    code: 'quiz_attempt_overdue',
    title: 'Open attempt after its time limit',
    severity: 'warning',
    hint: 'Check that the schedule enablement.expire_attempts runs. A repair grades the saved answers.',
    resourceType: 'quiz_attempt',
    find: (tx, limit) => findForgottenAttempts(tx, secondsLater(clock.now(), -forgottenSeconds), limit),
    repair: (tx, ids) => expireAttempts(tx, ids, clock.now()),
  }),
]

async function lockWithPaths(tx: TenantTx, ids: readonly string[]) {
  const enrollments = await lockEnrollments(tx, ids)
  const paths = await listPathsIncludingDeleted(
    tx,
    enrollments.map(({ path_id }) => path_id),
  )
  return enrollments.map((enrollment) => ({ enrollment, path: paths.find(({ id }) => id === enrollment.path_id)! }))
}

async function refreshEnrollments(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const locked = await lockWithPaths(tx, ids)
  for (const { enrollment, path } of locked)
    await refreshEnrollment(tx, { enrollment, path, now }, { hasActivity: false })
  return locked.length
}

async function issueCertificates(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const locked = await lockWithPaths(tx, ids)
  for (const { enrollment, path } of locked) await issueCertificate(tx, enrollment, path, now)
  return locked.length
}

async function expireAttempts(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  let expired = 0
  for (const attempt of await listAttemptKeys(tx, ids)) if (await expireAttempt(tx, attempt, now)) expired++
  return expired
}
