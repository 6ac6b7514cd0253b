import { setWithEviction } from '#platform/cache'
import { type Clock, secondsLater } from '#platform/clock'

const cacheSeconds = 5
const maxEntries = 10_000

/** Remembers slugs without a workspace. The time is short, because a workspace with that slug may be created. */
export function createUnknownSlugCache(clock: Clock) {
  const expiries = new Map<string, Date>()
  return {
    has(slug: string): boolean {
      const expiresAt = expiries.get(slug)
      return expiresAt !== undefined && expiresAt > clock.now()
    },
    add(slug: string): void {
      setWithEviction(expiries, slug, secondsLater(clock.now(), cacheSeconds), maxEntries)
    },
  }
}
