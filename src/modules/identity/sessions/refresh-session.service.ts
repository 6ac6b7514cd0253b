import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { sendSecurityNoticeLater } from '../auth/auth.jobs.ts'
import { recordLogin } from '../auth/login-events.service.ts'
import { type Claims, expiredToken, invalidToken, revokedToken } from '../auth/tokens.ts'
import { sessionReuseDetected } from '../identity.events.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { getHead, insertRefreshToken, lockRefreshToken, markRotated } from './refresh-tokens.queries.ts'
import { decideRotation, idleEnd } from './rotation.rules.ts'
import { extendSession, lockSession } from './sessions.queries.ts'
import { endSessions } from './sessions.service.ts'

type Options = { clock: Clock; signingKid: string }
type Head = Awaited<ReturnType<typeof getHead>>
type LockedSession = NonNullable<Awaited<ReturnType<typeof lockSession>>>

/** A refusal is returned, not thrown: what it made us do must stay done. */
export type Refreshed = { refused: AppError } | { refused: null; session: LockedSession; refresh: Head }

/** Answers a refresh token with its successor, one request after the other. */
export async function refreshSession(tx: TenantTx, claims: Claims, { clock, signingKid }: Options): Promise<Refreshed> {
  const session = await lockSession(tx, claims.sessionId)
  const token = session && (await lockRefreshToken(tx, session.id, claims.id))
  if (!token || session.user_id !== claims.userId) return { refused: invalidToken() }
  if (session.user_status !== 'active') return { refused: revokedToken() }

  const now = clock.now()
  const head = token.rotated_at ? await getHead(tx, session.id) : token
  switch (decideRotation({ token, head, session }, now)) {
    case 'revoked':
      return { refused: revokedToken() }
    case 'expired':
      return { refused: expiredToken() }
    case 'repeat':
      return { refused: null, session, refresh: head }
    case 'reuse':
      await endReusedSession(tx, session)
      return { refused: revokedToken() }
    case 'rotate':
      return { refused: null, session, refresh: await rotate(tx, session, token, { now, signingKid }) }
  }
}

async function rotate(
  tx: TenantTx,
  session: LockedSession,
  token: Head,
  { now, signingKid }: { now: Date; signingKid: string },
): Promise<Head> {
  const { session_idle_days } = await readSettings(tx, 'security')
  const expiresAt = idleEnd(now, session_idle_days, session.expires_at)
  await markRotated(tx, token.id, now)
  await extendSession(tx, session.id, expiresAt, now)
  return await insertRefreshToken(tx, {
    id: newId(),
    session_id: session.id,
    seq: token.seq + 1,
    issued_at: now,
    expires_at: expiresAt,
    signing_kid: signingKid,
  })
}

/** Two have the same token, and nobody can tell which of them is the owner. Their other sessions are not touched. */
async function endReusedSession(tx: TenantTx, { id, user_id, email }: LockedSession): Promise<void> {
  await endSessions(tx, [id], 'refresh_reuse')
  const failure = { outcome: 'failure', reason: 'refresh_reuse', method: 'refresh' } as const
  await recordLogin(tx, { ...failure, userId: user_id, email, sessionId: id })
  await emit(tx, sessionReuseDetected, { id }, { user_id })
  await sendSecurityNoticeLater(tx, user_id, 'refresh_reuse', {})
}
