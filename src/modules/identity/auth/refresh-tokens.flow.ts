import type { AuthServices, InTenant } from '../tokens/auth-services.ts'
import type { TokenResponse } from '../tokens/token-response.schemas.ts'
import { createTokenResponse, getSessionGrant } from '../tokens/token-response.ts'
import { tenantMismatch } from '../tokens/tokens.ts'
import { findLoginAccount } from '../user-records/login-accounts.queries.ts'
import { refreshSession } from './refresh-session.service.ts'

/** Errors are thrown after the commit, so that the revocation of a reused session is kept. */
export async function refreshTokens(
  services: AuthServices,
  inTenant: InTenant,
  tenantId: string,
  refreshToken: string,
): Promise<TokenResponse> {
  const claims = await services.tokens.verifyRefreshToken(refreshToken)
  if (claims.tenantId !== tenantId) throw tenantMismatch()

  const outcome = await inTenant(async (tx) => {
    const refreshed = await refreshSession(tx, claims, {
      clock: services.clock,
      signingKid: services.tokens.currentKid,
    })
    if (refreshed.error) return refreshed
    const account = await findLoginAccount(tx, claims.userId)
    return { error: null, grant: await getSessionGrant(tx, account!, refreshed) }
  })
  if (outcome.error) throw outcome.error
  return await createTokenResponse(services, outcome.grant)
}
