import { hash } from 'node:crypto'
import { setNewest } from '#platform/cache'
import type { Clock } from '#platform/clock'
import { type Claims, expiredToken, leewaySeconds, type Tokens } from './tokens.ts'

const maxRemembered = 50_000

/**
 * A signature that was good stays good until the token expires, so it is checked once. Whether the session still lives is
 * another question, which the database answers every time.
 */
export function rememberVerified(tokens: Pick<Tokens, 'readAccess'>, clock: Clock) {
  const verified = new Map<string, Claims>()

  return async (token: string): Promise<Claims> => {
    const digest = hash('sha256', token, 'base64url')
    const known = verified.get(digest)
    if (known && isOver(known, clock.now())) {
      verified.delete(digest)
      throw expiredToken()
    }
    if (known) return known

    const claims = await tokens.readAccess(token)
    setNewest(verified, digest, claims, maxRemembered)
    return claims
  }
}

const isOver = ({ expiresAt }: Claims, now: Date) => expiresAt.getTime() + leewaySeconds * 1_000 <= now.getTime()
