import { hash } from 'node:crypto'
import { setWithEviction } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { expiredToken, leewaySeconds, type TokenClaims, type TokenService } from './tokens.ts'

const maxEntries = 50_000

/** Verifies each signature once. Whether the session is still active is checked in the database on every request. */
export function cacheVerifiedTokens(tokens: Pick<TokenService, 'verifyAccessToken'>, clock: Clock) {
  const verified = new Map<string, TokenClaims>()

  return async (token: string): Promise<TokenClaims> => {
    const digest = hash('sha256', token, 'base64url')
    const cached = verified.get(digest)
    if (cached && isExpired(cached, clock.now())) {
      verified.delete(digest)
      throw expiredToken()
    }
    if (cached) return cached

    const claims = await tokens.verifyAccessToken(token)
    setWithEviction(verified, digest, claims, maxEntries)
    return claims
  }
}

const isExpired = ({ expiresAt }: TokenClaims, now: Date) =>
  expiresAt.getTime() + leewaySeconds * 1_000 <= now.getTime()
