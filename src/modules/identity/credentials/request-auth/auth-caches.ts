import { hash } from 'node:crypto'
import { setWithEviction } from '#platform/cache'
import { type Clock, secondsLater } from '#platform/clock'
import { expiredToken, leewaySeconds, type TokenClaims, type TokenService } from '../tokens/tokens.ts'

const maxRevocations = 50_000

/** Remembers revoked sessions and API keys with their tenant. Revocation is final, so no lookup is needed. */
export function createRevocationCache(max = maxRevocations) {
  const tenants = new Map<string, string>()

  function add(credential: string, tenantId: string): void {
    setWithEviction(tenants, credential, tenantId, max)
  }

  return {
    add,
    tenantOf(credential: string): string | undefined {
      const tenantId = tenants.get(credential)
      if (tenantId !== undefined) add(credential, tenantId)
      return tenantId
    },
  }
}

const unknownSlugSeconds = 5
const maxUnknownSlugs = 10_000

/** Remembers slugs without a workspace. The time is short, because a workspace with that slug may be created. */
export function createUnknownSlugCache(clock: Clock) {
  const expiries = new Map<string, Date>()
  return {
    has(slug: string): boolean {
      const expiresAt = expiries.get(slug)
      return expiresAt !== undefined && expiresAt > clock.now()
    },
    add(slug: string): void {
      setWithEviction(expiries, slug, secondsLater(clock.now(), unknownSlugSeconds), maxUnknownSlugs)
    },
  }
}

const maxVerifiedTokens = 50_000

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
    setWithEviction(verified, digest, claims, maxVerifiedTokens)
    return claims
  }
}

const isExpired = ({ expiresAt }: TokenClaims, now: Date) =>
  expiresAt.getTime() + leewaySeconds * 1_000 <= now.getTime()

type Call<T> = { result: Promise<T>; next?: Promise<T> }

/** Coalesces concurrent calls per key. A caller never gets a result that was requested before its own call. */
export function coalesceCalls<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const calls = new Map<string, Call<T>>()

  function start(key: string): Promise<T> {
    const call: Call<T> = { result: load(key) }
    calls.set(key, call)
    const finish = () => {
      if (!call.next) calls.delete(key)
    }
    call.result.then(finish, finish)
    return call.result
  }

  return (key) => {
    const call = calls.get(key)
    if (!call) return start(key)
    const startNext = () => start(key)
    call.next ??= call.result.then(startNext, startNext)
    return call.next
  }
}

const maxIntervalKeys = 10_000

/** Returns a function that is true at most once per key and interval. */
export function allowOncePerInterval({ clock, seconds }: { clock: Clock; seconds: number }): (key: string) => boolean {
  const allowedAt = new Map<string, number>()
  return (key) => {
    const now = clock.now().getTime()
    if (now - (allowedAt.get(key) ?? Number.NEGATIVE_INFINITY) < seconds * 1_000) return false
    setWithEviction(allowedAt, key, now, maxIntervalKeys)
    return true
  }
}
