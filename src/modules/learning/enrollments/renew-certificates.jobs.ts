import { timezoneOf } from '#modules/identity'
import { recordAuditEntries } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import { daysLater } from '#platform/clock'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { emitMany } from '#platform/outbox'
import {
  type CertificateRow,
  listCertificatesToRenew,
  listFollowedIds,
  listTenantsWithDueCertificates,
  lockCertificates,
  lockExpiredCertificates,
  markCertificates,
} from '../certificates/certificates.queries.ts'
import { certificateExpired } from '../learning.events.ts'
import { notifyRenewal } from '../progress/progress-notifications.ts'
import type { PathRow } from '../records/path-row.ts'
import { findPathShared } from '../records/paths.queries.ts'
import { listLatestEnrollments } from './enroll.queries.ts'
import { enrollUsers } from './enroll-users.service.ts'

const batchSize = 1_000

/** Enrolls holders again before their certificates expire, and reports the expired ones once. */
export const renewCertificatesSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('enablement.renew_certificates', '31 * * * *', {
    listTenants: (tx) => listTenantsWithDueCertificates(tx, clock.now()),
    async runForTenant({ inTenant, signal }) {
      for (const runBatch of [renewBatch, expireBatch]) {
        let done: number
        do {
          signal.throwIfAborted()
          done = await retryOnContention(() => inTenant((tx) => runBatch(tx, clock.now())), signal)
        } while (done > 0)
      }
    },
  })

const retryDays = 1

/**
 * Renews the certificates of one path. The mark is committed with the enrollment, so that a certificate starts one cycle, however
 * often this runs. Certificates that cannot be renewed now get no mark and are due again a day later.
 */
async function renewBatch(tx: TenantTx, now: Date): Promise<number> {
  const due = await listCertificatesToRenew(tx, now, batchSize)
  const [first] = due
  if (!first) return 0
  const path = first.path_id === null ? undefined : await findPathShared(tx, first.path_id)
  const ids = due.filter(({ path_id }) => path_id === first.path_id).map(({ id }) => id)
  const locked = (await lockCertificates(tx, ids)).filter(({ recertified_at }) => recertified_at === null)
  const waitingIds = path ? await renewCertificates(tx, path, locked, now) : new Set<string>()
  const [waiting, settled] = [
    locked.filter(({ id }) => waitingIds.has(id)),
    locked.filter(({ id }) => !waitingIds.has(id)),
  ]
  await markCertificates(tx, idsOf(settled), { recertified_at: now })
  await markCertificates(tx, idsOf(waiting), { recertify_at: daysLater(now, retryDays) })
  return ids.length
}

const idsOf = (certificates: readonly CertificateRow[]): string[] => certificates.map(({ id }) => id)

/**
 * Enrolls the holders again whose last cycle gave the certificate. Returns the certificates that wait, because the path is not
 * published or the holder cannot be enrolled at the moment.
 */
async function renewCertificates(
  tx: TenantTx,
  path: PathRow,
  certificates: readonly CertificateRow[],
  now: Date,
): Promise<Set<string>> {
  const holders = certificates.flatMap(({ user_id }) => user_id ?? [])
  const latest = await listLatestEnrollments(tx, path.id, holders, now)
  const latestIds = new Set(latest.map(({ id }) => id))
  const renewable = certificates.filter(({ enrollment_id }) => enrollment_id !== null && latestIds.has(enrollment_id))
  if (path.status !== 'published') return new Set(idsOf(renewable))
  const timezone = await timezoneOf(tx)
  const expiryDays = listExpiryDays(renewable, timezone)
  const today = dayInTimezone(now, timezone)
  const { created, result } = await enrollUsers(tx, path.id, [...expiryDays.keys()], {
    source: 'recertify',
    assignedBy: null,
    isMandatory: true,
    dueOnOf: new Map([...expiryDays].filter(([, day]) => day >= today)),
    again: 'completed',
    now,
  })
  for (const enrollment of created) {
    const expires_on = expiryDays.get(enrollment.user_id) ?? null
    await notifyRenewal(tx, enrollment, { title: path.title, expires_on })
  }
  const skippedIds = new Set(result.skipped.map(({ user_id }) => user_id))
  return new Set(idsOf(renewable.filter(({ user_id }) => skippedIds.has(user_id!))))
}

/** The day on which the certificate of each holder expires. Only certificates with an end are renewed. */
const listExpiryDays = (certificates: readonly CertificateRow[], timezone: string): Map<string, string> =>
  new Map(certificates.map(({ user_id, expires_at }) => [user_id!, dayInTimezone(expires_at!, timezone)]))

/** A certificate that was followed by another one ends without an event, because its holder is still certified. */
async function expireBatch(tx: TenantTx, now: Date): Promise<number> {
  const expired = await lockExpiredCertificates(tx, now, batchSize)
  const marked = await markCertificates(tx, idsOf(expired), { expired_at: now })
  if (!marked.length) return 0
  await recordAuditEntries(
    tx,
    'certificate.expired',
    marked.map(({ id, title }) => ({ id, label: title, after: { expired_at: now } })),
  )
  const followedIds = await listFollowedIds(tx, idsOf(marked))
  await emitMany(
    tx,
    certificateExpired,
    marked
      .filter(({ id }) => !followedIds.has(id))
      .map((certificate) => ({
        subject: certificate,
        data: { path_id: certificate.path_id, user_id: certificate.user_id },
      })),
  )
  return marked.length
}
