import { timezoneOf } from '#modules/crm'
import { recordAuditEntries } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { emitMany } from '#platform/outbox'
import { certificateExpired } from '../enablement.events.ts'
import {
  listCertificatesToRenew,
  lockCertificates,
  lockExpiredCertificates,
  markCertificates,
} from '../learning-certificates/certificates.queries.ts'
import { listTenantsWithDueCertificates } from '../learning-certificates/due-certificates.queries.ts'
import { notifyRenewal } from '../learning-progress/progress-notifications.ts'
import { findPathShared } from '../learning-records/paths.queries.ts'
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

/**
 * Renews the certificates of one path. The mark is committed with the enrollment, so that a certificate starts one cycle, however
 * often this runs. Holders of certificates of archived and deleted paths are not enrolled.
 */
async function renewBatch(tx: TenantTx, now: Date): Promise<number> {
  const due = await listCertificatesToRenew(tx, now, batchSize)
  const [first] = due
  if (!first) return 0
  const timezone = await timezoneOf(tx)
  const path = first.path_id === null ? undefined : await findPathShared(tx, first.path_id)
  const ids = due.filter(({ path_id }) => path_id === first.path_id).map(({ id }) => id)
  const locked = (await lockCertificates(tx, ids)).filter(({ recertified_at }) => recertified_at === null)
  const holders = locked.flatMap(({ user_id }) => user_id ?? [])
  if (path?.status === 'published' && holders.length) {
    const expiryOf = new Map(locked.map(({ user_id, expires_at }) => [user_id, expires_at]))
    const { created } = await enrollUsers(tx, path.id, holders, {
      source: 'recertify',
      assignedBy: null,
      isMandatory: true,
      again: 'completed',
      now,
    })
    for (const enrollment of created) {
      const expiresAt = expiryOf.get(enrollment.user_id)
      const expires_on = expiresAt ? dayInTimezone(expiresAt, timezone) : null
      await notifyRenewal(tx, enrollment, { title: path.title, expires_on })
    }
  }
  await markCertificates(
    tx,
    locked.map(({ id }) => id),
    { recertified_at: now },
  )
  return ids.length
}

async function expireBatch(tx: TenantTx, now: Date): Promise<number> {
  const expired = await lockExpiredCertificates(tx, now, batchSize)
  const marked = await markCertificates(
    tx,
    expired.map(({ id }) => id),
    { expired_at: now },
  )
  if (!marked.length) return 0
  await recordAuditEntries(
    tx,
    'certificate.expired',
    marked.map(({ id, title }) => ({ id, label: title, after: { expired_at: now } })),
  )
  await emitMany(
    tx,
    certificateExpired,
    marked.map((certificate) => ({
      subject: certificate,
      data: { path_id: certificate.path_id, user_id: certificate.user_id },
    })),
  )
  return marked.length
}
