import { daysLater } from '#platform/clock'
import type { CertificateSettings } from '../records/learning.schemas.ts'
import type { CertificateRow } from './certificates.queries.ts'

export const certificateStatuses = ['valid', 'expired', 'revoked'] as const
export type CertificateStatus = (typeof certificateStatuses)[number]

export function statusOf({ revoked_at, expires_at }: CertificateRow, now: Date): CertificateStatus {
  if (revoked_at) return 'revoked'
  return expires_at && expires_at <= now ? 'expired' : 'valid'
}

/** When a new certificate expires, and when its holder is enrolled again. */
export function planExpiry(
  { valid_days, recertify, recertify_lead_days }: CertificateSettings,
  now: Date,
): { expires_at: Date | null; recertify_at: Date | null } {
  if (valid_days === null) return { expires_at: null, recertify_at: null }
  return {
    expires_at: daysLater(now, valid_days),
    recertify_at: recertify ? daysLater(now, valid_days - recertify_lead_days) : null,
  }
}
