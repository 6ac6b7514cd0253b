import { setWithEviction } from '#platform/cache'
import { type Clock, secondsLater } from '#platform/clock'

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
