import type { UserActor } from '#platform/access'
import { daysLater, secondsLater } from '#platform/clock'
import { conflict, roleRequired } from '#platform/errors'
import type { SecuritySettings } from '../../workspace/settings/settings.schemas.ts'

type Key = { created_by: string; created_at: Date; expires_at: Date | null }

/** The new key acts as the creator, so no other user may see it, not even an admin. */
export function assertOwnKey({ userId }: UserActor, { created_by }: Pick<Key, 'created_by'>): void {
  if (created_by !== userId)
    throw roleRequired('Only the creator of an API key can rotate it. Ask the creator, or revoke the key.')
}

export function assertNotRotated(isRotated: boolean): void {
  if (isRotated)
    throw conflict('conflict', 'This API key was already rotated. Rotate its successor or create a new key.')
}

export function successorExpiryOf(
  { created_at, expires_at }: Pick<Key, 'created_at' | 'expires_at'>,
  { api_key_max_days: maxDays }: Pick<SecuritySettings, 'api_key_max_days'>,
  now: Date,
): Date | null {
  const sameLifetime = expires_at && new Date(now.getTime() + expires_at.getTime() - created_at.getTime())
  const latest = maxDays === null ? null : daysLater(now, maxDays)
  return earlier(sameLifetime, latest)
}

/** The overlap never extends the lifetime of the old key. */
export const overlapEndOf = ({ expires_at }: Pick<Key, 'expires_at'>, overlapSeconds: number, now: Date): Date =>
  earlier(expires_at, secondsLater(now, overlapSeconds)) ?? now

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)
