import { rateLimited } from '#platform/errors'
import { type Bucket, networkOf, rateLimitHeaders } from '#platform/limits'
import type { AuthServices, InTenant } from '../../credentials/tokens/auth-services.ts'
import type { TokenResponse } from '../../credentials/tokens/token-response.schemas.ts'
import { createTokenResponse, getSessionGrant } from '../../credentials/tokens/token-response.ts'
import { type TokenClaims, tenantMismatch } from '../../credentials/tokens/tokens.ts'
import { findLoginAccount } from '../../workspace/user-records/login-accounts.queries.ts'
import { refreshSessionLimit, signInLimit } from './auth-limits.ts'
import { refreshSession } from './refresh-session.service.ts'

type Caller = { inTenant: InTenant; tenantId: string; ip: string }

/** Errors are thrown after the commit, so that the revocation of a reused session is kept. */
export async function refreshTokens(
  services: AuthServices,
  { inTenant, tenantId, ip }: Caller,
  refreshToken: string,
  delivery: 'body' | 'cookie',
): Promise<TokenResponse> {
  const claims = await verifyRefreshToken(services, ip, refreshToken)
  if (claims.tenantId !== tenantId) throw tenantMismatch()
  await countRefresh(services, { ...refreshSessionLimit, key: `${tenantId}:${claims.sessionId}` })

  const outcome = await inTenant(async (tx) => {
    const refreshed = await refreshSession(tx, claims, {
      clock: services.clock,
      signingKid: services.tokens.currentKid,
      delivery,
    })
    if (refreshed.error) return refreshed
    const account = await findLoginAccount(tx, claims.userId)
    return { error: null, grant: await getSessionGrant(tx, account!, refreshed) }
  })
  if (outcome.error) throw outcome.error
  return await createTokenResponse(services, outcome.grant)
}

/** A token that was not issued here counts as a sign-in, so that tokens cannot be guessed faster than passwords. */
async function verifyRefreshToken(services: AuthServices, ip: string, refreshToken: string): Promise<TokenClaims> {
  try {
    return await services.tokens.verifyRefreshToken(refreshToken)
  } catch (error) {
    await countRefresh(services, { ...signInLimit, key: networkOf(ip) })
    throw error
  }
}

async function countRefresh({ limits }: AuthServices, bucket: Bucket): Promise<void> {
  const taken = await limits.take(bucket)
  if (!taken.allowed) throw rateLimited(taken.resetSeconds, undefined, rateLimitHeaders([taken]))
}
