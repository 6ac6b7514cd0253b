import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { endSessions } from '../sessions/sessions.service.ts'
import type { Claims, Tokens } from './tokens.ts'

/** Whose refresh token it is; null for one that is not ours, not readable or too old, without a hint which. */
export const readForLogout = (tokens: Tokens, refreshToken: string | undefined): Promise<Claims | null> =>
  refreshToken === undefined ? Promise.resolve(null) : tokens.readRefresh(refreshToken).catch(() => null)

/** Ends the session of the caller and, if it is theirs, the one of the refresh token. An admin acting as somebody ends only that. */
export async function logOut(tx: TenantTx, actor: SignedIn, refresh: Claims | null) {
  const ids = [actor.sessionId!]
  const isOwn = refresh?.tenantId === actor.tenantId && refresh.userId === actor.userId
  if (refresh && isOwn && actor.type === 'user' && refresh.sessionId !== actor.sessionId) ids.push(refresh.sessionId)
  const sessions_ended = await endSessions(tx, ids, 'logout')
  return { status: 'logged_out' as const, sessions_ended }
}
