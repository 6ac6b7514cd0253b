import { setWithEviction } from '#platform/cache'
import { type Clock, secondsLater } from '#platform/clock'

type CacheEntry<T> = { result: Promise<T>; fetchedAt: Date; triedAt: Date }

const ttlSeconds = 3_600
const minRefetchSeconds = 60
const maxEntries = 1_000

/** Caches fetches per URL for one hour. Concurrent callers share a fetch; failures are not cached. */
export function cacheFetches<T>(clock: Clock, fetchUrl: (url: string) => Promise<T>) {
  const entries = new Map<string, CacheEntry<T>>()
  const isWithin = (fetchedAt: Date, seconds: number) => clock.now() < secondsLater(fetchedAt, seconds)

  function fetchNow(url: string): Promise<T> {
    const previous = entries.get(url)
    const now = clock.now()
    const fetching: CacheEntry<T> = { result: fetchUrl(url), fetchedAt: now, triedAt: now }
    setWithEviction(entries, url, fetching, maxEntries)
    fetching.result.catch(() => {
      if (entries.get(url) !== fetching) return
      if (previous && isWithin(previous.fetchedAt, ttlSeconds)) entries.set(url, { ...previous, triedAt: now })
      else entries.delete(url)
    })
    return fetching.result
  }

  return {
    get(url: string): Promise<T> {
      const cached = entries.get(url)
      return cached && isWithin(cached.fetchedAt, ttlSeconds) ? cached.result : fetchNow(url)
    },
    /** Fetches again before the entry expires, at most once per minute. */
    refetch(url: string): Promise<T> {
      const cached = entries.get(url)
      return cached && isWithin(cached.triedAt, minRefetchSeconds) ? cached.result : fetchNow(url)
    },
  }
}
