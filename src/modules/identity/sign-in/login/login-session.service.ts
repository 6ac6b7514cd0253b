import type { UserActor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'
import { sendSecurityNoticeLater } from '../../credentials/emails/emails.jobs.ts'
import type { AuthServices } from '../../credentials/tokens/auth-services.ts'
import { getSessionGrant, type SessionGrant } from '../../credentials/tokens/token-response.ts'
import type { TokenClaims, TokenService } from '../../credentials/tokens/tokens.ts'
import { type AuthMethod, lockUserPresence, markLoggedIn } from '../../workspace/sessions/sessions.queries.ts'
import { createSession, revokeSessions } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import type { LoginAccount } from '../../workspace/user-records/login-accounts.queries.ts'
import { deviceOf } from './login.rules.ts'
import { isNewDevice, recordLoginEvent } from './login-events.service.ts'

/** Creates the session named by the actor of `tx`. Returns undefined if the account or password changed since it was read. */
export async function createLoginSession(
  { clock, tokens }: Pick<AuthServices, 'clock' | 'tokens'>,
  tx: TenantTx,
  account: LoginAccount,
  method: AuthMethod,
): Promise<SessionGrant | undefined> {
  const { sessionId, trace } = actorOf(tx)
  const now = clock.now()
  await lockUserPresence(tx, account.id)
  const created = await createSession(
    tx,
    {
      id: sessionId!,
      user: account,
      method,
      passwordChangedAt: account.password_changed_at,
      trace: trace!,
      security: await readSettings(tx, 'security'),
      signingKid: tokens.currentKid,
    },
    now,
  )
  if (!created) return undefined

  await recordSuccessfulLogin(tx, account, method)
  await markLoggedIn(tx, account.id, now)
  return await getSessionGrant(tx, account, created)
}

async function recordSuccessfulLogin(
  tx: TenantTx,
  { id, email, notify_new_device }: LoginAccount,
  method: AuthMethod,
): Promise<void> {
  const { sessionId, trace } = actorOf(tx)
  if (notify_new_device && (await isNewDevice(tx, id)))
    await sendSecurityNoticeLater(tx, id, 'new_device', { device: deviceOf(trace!.userAgent), ip: trace!.ip })
  await recordLoginEvent(tx, { userId: id, email, outcome: 'success', method, sessionId: sessionId! })
}

export const parseLogoutToken = (
  tokens: TokenService,
  refreshToken: string | undefined,
): Promise<TokenClaims | null> =>
  refreshToken === undefined ? Promise.resolve(null) : tokens.verifyRefreshToken(refreshToken).catch(() => null)

/** Revokes the session of the refresh token too if it belongs to the caller. Impersonation ends only itself. */
export async function logOut(tx: TenantTx, actor: UserActor, refresh: TokenClaims | null) {
  const ids = [actor.sessionId!]
  const isOwn = refresh?.tenantId === actor.tenantId && refresh.userId === actor.userId
  if (refresh && isOwn && actor.type === 'user' && refresh.sessionId !== actor.sessionId) ids.push(refresh.sessionId)
  const sessions_ended = await revokeSessions(tx, ids, 'logout')
  return { status: 'logged_out' as const, sessions_ended }
}
