import type { SignedIn } from '#platform/access'
import { daysLater, secondsLater } from '#platform/clock'
import { conflict, roleRequired } from '#platform/errors'
import type { SecuritySettings } from '../settings/settings.schemas.ts'

type Key = { created_by: string; created_at: Date; expires_at: Date | null }

/** The new key acts in the name of whoever made the old one, so nobody else gets to see it, admins included. */
export function assertOwnKey({ userId }: SignedIn, { created_by }: Pick<Key, 'created_by'>): void {
  if (created_by !== userId)
    throw roleRequired('Only the person who made an API key can rotate it. Ask them to, or revoke it.')
}

export function assertNotRotated(isRotated: boolean): void {
  if (isRotated)
    throw conflict(
      'conflict',
      'This API key was rotated already. Rotate the one that took its place, or make a new one.',
    )
}

/** The new key lives as long as the old one was meant to, unless the workspace has become stricter since. */
export function expiryOfSuccessor(
  { created_at, expires_at }: Pick<Key, 'created_at' | 'expires_at'>,
  { api_key_max_days: maxDays }: Pick<SecuritySettings, 'api_key_max_days'>,
  now: Date,
): Date | null {
  const asBefore = expires_at && new Date(now.getTime() + expires_at.getTime() - created_at.getTime())
  const latest = maxDays === null ? null : daysLater(now, maxDays)
  return earlier(asBefore, latest)
}

/** The overlap never lets a key live longer than it would have. */
export const endOfOverlap = ({ expires_at }: Pick<Key, 'expires_at'>, overlapSeconds: number, now: Date): Date =>
  earlier(expires_at, secondsLater(now, overlapSeconds)) ?? now

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)
