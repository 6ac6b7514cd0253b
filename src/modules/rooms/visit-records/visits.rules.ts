import type { Scope } from '#platform/access'
import { daysLater } from '#platform/clock'

type KnownVisitor = { email: string | null; email_verified_at: Date | null }
export type VisitorIdentity = 'anonymous' | 'claimed' | 'verified'

export const identityOf = ({ email, email_verified_at }: KnownVisitor): VisitorIdentity =>
  email === null ? 'anonymous' : email_verified_at === null ? 'claimed' : 'verified'

type LinkedVisitor = { email: string | null; contact_id: string | null }

/** The email address of a contact is shown only to callers who may read contacts. */
export const shownEmailOf = ({ email, contact_id }: LinkedVisitor, scopes: ReadonlySet<Scope>): string | null =>
  contact_id === null || scopes.has('contacts.read') ? email : null

/** Visits of the previous version have no identity of their own. */
export const visitIdentityOf = ({ identity }: { identity: string | null }, visitor: KnownVisitor): VisitorIdentity =>
  identity === null ? identityOf(visitor) : (identity as VisitorIdentity)

const tablet = /ipad|tablet/i
const mobile = /mobi|iphone|android/i
const desktop = /windows|macintosh|linux|cros/i

export function deviceOf(userAgent: string | null): 'desktop' | 'mobile' | 'tablet' | 'other' {
  if (!userAgent) return 'other'
  if (tablet.test(userAgent) || (/android/i.test(userAgent) && !/mobile/i.test(userAgent))) return 'tablet'
  if (mobile.test(userAgent)) return 'mobile'
  return desktop.test(userAgent) ? 'desktop' : 'other'
}

export function referrerHostOf(referrer: string | undefined): string | null {
  const host = referrer && URL.canParse(referrer) ? new URL(referrer).hostname : ''
  return host === '' || host.length > 253 ? null : host
}

const returnDays = 14

type EarlierVisits = { lastOfRoom: Date | null; lastOfVisitor: Date | null }

/** A return is a visit after at least 14 days without any. */
export function visitAlertOf(
  { lastOfRoom, lastOfVisitor }: EarlierVisits,
  startedAt: Date,
): 'first_visit' | 'return' | 'new_visitor' | undefined {
  if (lastOfRoom === null) return 'first_visit'
  if (daysLater(lastOfRoom, returnDays) <= startedAt) return 'return'
  return lastOfVisitor === null ? 'new_visitor' : undefined
}
