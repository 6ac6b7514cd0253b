import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { TokenClaims, TokenService } from '../../credentials/tokens/tokens.ts'
import { revokeSessions } from '../../workspace/sessions/sessions.service.ts'

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
