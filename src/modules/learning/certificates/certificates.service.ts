import { findUserNames, getTenant, timezoneOf } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { invalidTransition, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { certificateIssued, certificateRevoked } from '../learning.events.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import type { PathRow } from '../records/path-row.ts'
import {
  type CertificateRow,
  findCertificateByCode,
  insertCertificate,
  lockCertificateByCode,
  updateCertificateRow,
} from './certificates.queries.ts'
import { createCode, formatCode, parseCode, planExpiry, statusOf } from './certificates.rules.ts'
import type { Certificate, CertificateSummary, Revocation } from './certificates.schemas.ts'

/** Issues the certificate of a completed enrollment. Does nothing if it was issued before. */
export async function issueCertificate(
  tx: TenantTx,
  { id: enrollment_id, user_id }: EnrollmentRow,
  { id: path_id, title, certificate }: PathRow,
  now: Date,
): Promise<void> {
  const names = await findUserNames(tx, [user_id])
  const issued = await insertCertificate(tx, {
    id: newId(),
    enrollment_id,
    user_id,
    path_id,
    code: createCode(),
    holder_name: names.get(user_id) ?? null,
    title: certificate.title ?? title,
    issued_at: now,
    ...planExpiry(certificate, now),
  })
  if (!issued) return
  await recordAudit(tx, 'certificate.issued', { id: issued.id, label: issued.title, after: { enrollment_id } })
  await emit(tx, certificateIssued, issued, { path_id, user_id })
}

export const toCertificateSummary = (row: CertificateRow, now: Date): CertificateSummary => ({
  code: formatCode(row.code),
  title: row.title,
  status: statusOf(row, now),
  issued_at: row.issued_at,
  expires_at: row.expires_at,
})

/** A mistyped code is unknown without a query. */
export async function getCertificate(tx: TenantTx, text: string, { now }: { now: Date }): Promise<Certificate> {
  const code = parseCode(text)
  const certificate = code && (await findCertificateByCode(tx, code))
  if (!certificate) throw notFound('certificate')
  return await presentCertificate(tx, certificate, now)
}

async function presentCertificate(tx: TenantTx, row: CertificateRow, now: Date): Promise<Certificate> {
  const [tenant, timezone] = await Promise.all([getTenant(tx), timezoneOf(tx)])
  const status = statusOf(row, now)
  return {
    code: formatCode(row.code),
    title: row.title,
    valid: status === 'valid',
    status,
    holder_name: row.holder_name,
    issued_on: dayInTimezone(row.issued_at, timezone),
    expires_on: row.expires_at && dayInTimezone(row.expires_at, timezone),
    issuer: tenant.name,
  }
}

type RevokeInput = Revocation & { now: Date }

/** A revoked certificate is not renewed; its holder can be enrolled again. */
export async function revokeCertificate(
  tx: TenantTx,
  text: string,
  { reason, now }: RevokeInput,
): Promise<Certificate> {
  const code = parseCode(text)
  const certificate = code && (await lockCertificateByCode(tx, code))
  if (!certificate) throw notFound('certificate')
  if (certificate.revoked_at)
    throw invalidTransition('The certificate is revoked.', { from: 'revoked', to: 'revoked', allowed: [] })
  const { id, path_id, user_id, title } = certificate
  const revoked = await updateCertificateRow(tx, id, { revoked_at: now, revoke_reason: reason })
  await recordAudit(tx, 'certificate.revoked', { id, label: title, after: { revoked_at: now } })
  await emit(tx, certificateRevoked, revoked, { path_id, user_id })
  return await presentCertificate(tx, revoked, now)
}
