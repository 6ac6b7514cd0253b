import { daysLater } from '#platform/clock'

/** How long the token before may still be shown, for the browser tab whose answer got lost. */
export const graceSeconds = 10

export type RotationState = {
  token: { seq: number; rotated_at: Date | null }
  head: { seq: number }
  session: { revoked_at: Date | null; idle_expires_at: Date; expires_at: Date }
}

/**
 * What becomes of a refresh token that is shown. `rotate`: it is replaced. `repeat`: it was replaced a moment ago, and the
 * successor, unused so far, is given out again. `reuse`: somebody else has it too.
 */
export type Rotation = 'rotate' | 'repeat' | 'reuse' | 'revoked' | 'expired'

export function decideRotation({ token, head, session }: RotationState, now: Date): Rotation {
  if (session.revoked_at) return 'revoked'
  if (session.idle_expires_at <= now || session.expires_at <= now) return 'expired'
  if (!token.rotated_at) return 'rotate'
  const isRecent = now.getTime() - token.rotated_at.getTime() <= graceSeconds * 1_000
  return isRecent && head.seq === token.seq + 1 ? 'repeat' : 'reuse'
}

/** Until when an unused session lives: the idle limit, but never past its own end. */
export const idleEnd = (now: Date, idleDays: number, sessionEnd: Date): Date => {
  const idle = daysLater(now, idleDays)
  return idle < sessionEnd ? idle : sessionEnd
}
