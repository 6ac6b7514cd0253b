import { refreshSession as rotateSession } from '../sessions/refresh-session.service.ts'
import { findAccount } from './accounts.queries.ts'
import type { TokenResponse } from './auth.schemas.ts'
import type { AuthServices, InTenant } from './auth-services.ts'
import { issueFor, tokenResponse } from './token-response.ts'
import { tenantMismatch } from './tokens.ts'

/** Gives a new pair of tokens for a refresh token. A refusal is thrown only when what it caused has been written down. */
export async function refreshTokens(
  services: AuthServices,
  open: InTenant,
  tenantId: string,
  refreshToken: string,
): Promise<TokenResponse> {
  const claims = await services.tokens.readRefresh(refreshToken)
  if (claims.tenantId !== tenantId) throw tenantMismatch()

  const outcome = await open(async (tx) => {
    const refreshed = await rotateSession(tx, claims, { clock: services.clock, signingKid: services.tokens.currentKid })
    if (refreshed.refused) return refreshed
    const account = await findAccount(tx, claims.userId)
    return { refused: null, issue: await issueFor(tx, account!, refreshed) }
  })
  if (outcome.refused) throw outcome.refused
  return await tokenResponse(services, outcome.issue)
}
