import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { sendSecurityNoticeLater } from '../../credentials/emails/emails.jobs.ts'
import { expiredToken, invalidToken, revokedToken, type TokenClaims } from '../../credentials/tokens/tokens.ts'
import { sessionReuseDetected } from '../../identity.events.ts'
import {
  getNewestRefreshToken,
  insertRefreshToken,
  lockRefreshToken,
  markRefreshTokenRotated,
} from '../../workspace/sessions/refresh-tokens.queries.ts'
import { decideRotation, idleExpiryOf } from '../../workspace/sessions/rotation.rules.ts'
import { extendSession, isPasswordMethod, lockSession } from '../../workspace/sessions/sessions.queries.ts'
import { revokeSessions } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { recordLoginEvent } from '../login/login-events.service.ts'

type RefreshOptions = { clock: Clock; signingKid: string; delivery: 'body' | 'cookie' }
type RefreshToken = Awaited<ReturnType<typeof getNewestRefreshToken>>
type LockedSession = NonNullable<Awaited<ReturnType<typeof lockSession>>>

/** Errors are returned, not thrown, so that the revocation is committed. */
export type RefreshResult = { error: AppError } | { error: null; session: LockedSession; refresh: RefreshToken }

export async function refreshSession(
  tx: TenantTx,
  claims: TokenClaims,
  { clock, signingKid, delivery }: RefreshOptions,
): Promise<RefreshResult> {
  const session = await lockSession(tx, claims.sessionId)
  const token = session && (await lockRefreshToken(tx, session.id, claims.id))
  if (!token || session.user_id !== claims.userId) return { error: invalidToken() }
  if (session.user_status !== 'active') return { error: revokedToken() }

  const now = clock.now()
  const newest = token.rotated_at ? await getNewestRefreshToken(tx, session.id) : token
  switch (decideRotation({ token, newest, session }, delivery, now)) {
    case 'revoked':
      return { error: revokedToken() }
    case 'expired':
      return { error: expiredToken() }
    case 'repeat':
      return { error: null, session, refresh: newest }
    case 'reuse':
      await revokeReusedSession(tx, session)
      return { error: revokedToken() }
    case 'rotate':
      if (await isForbiddenPasswordSession(tx, session)) {
        await revokeSessions(tx, [session.id], 'sso_enforced')
        return { error: revokedToken() }
      }
      return { error: null, session, refresh: await rotate(tx, session, token, { now, signingKid }) }
  }
}

/** True for a session that started while single sign-on was being enforced, and for the sessions of a former admin. */
async function isForbiddenPasswordSession(tx: TenantTx, { auth_method, user_role }: LockedSession): Promise<boolean> {
  if (!isPasswordMethod(auth_method) || user_role === 'admin') return false
  return (await readSettings(tx, 'sso')).enforced
}

async function rotate(
  tx: TenantTx,
  session: LockedSession,
  token: RefreshToken,
  { now, signingKid }: { now: Date; signingKid: string },
): Promise<RefreshToken> {
  const { session_idle_days } = await readSettings(tx, 'security')
  const expiresAt = idleExpiryOf(now, session_idle_days, session.expires_at)
  await markRefreshTokenRotated(tx, token.id, now)
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

/** The token was probably stolen, and its owner is unknown. Other sessions of the user are not affected. */
async function revokeReusedSession(tx: TenantTx, { id, user_id, email }: LockedSession): Promise<void> {
  await revokeSessions(tx, [id], 'refresh_reuse')
  const loginFailure = { outcome: 'failure', reason: 'refresh_reuse', method: 'refresh' } as const
  await recordLoginEvent(tx, { ...loginFailure, userId: user_id, email, sessionId: id })
  await emit(tx, sessionReuseDetected, { id }, { user_id })
  await sendSecurityNoticeLater(tx, user_id, 'refresh_reuse', {})
}
