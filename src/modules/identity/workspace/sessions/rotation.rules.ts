import { daysLater } from '#platform/clock'

/** A replaced token is accepted this long, for clients whose response got lost. Browsers lose more: on reload, and when a laptop wakes up. */
export const graceSeconds = { body: 10, cookie: 30 }

export type RotationState = {
  token: { seq: number; rotated_at: Date | null }
  newest: { seq: number }
  session: { revoked_at: Date | null; idle_expires_at: Date; expires_at: Date }
}

/**
 * `rotate`: replace the token. `repeat`: the token was just replaced and its successor is unused, so return the successor
 * again. `reuse`: the token is used by two clients.
 */
export type RotationDecision = 'rotate' | 'repeat' | 'reuse' | 'revoked' | 'expired'

export function decideRotation(
  { token, newest, session }: RotationState,
  delivery: keyof typeof graceSeconds,
  now: Date,
): RotationDecision {
  if (session.revoked_at) return 'revoked'
  if (session.idle_expires_at <= now || session.expires_at <= now) return 'expired'
  if (!token.rotated_at) return 'rotate'
  const isRecent = now.getTime() - token.rotated_at.getTime() <= graceSeconds[delivery] * 1_000
  return isRecent && newest.seq === token.seq + 1 ? 'repeat' : 'reuse'
}

export const idleExpiryOf = (now: Date, idleDays: number, sessionEnd: Date): Date => {
  const idle = daysLater(now, idleDays)
  return idle < sessionEnd ? idle : sessionEnd
}
