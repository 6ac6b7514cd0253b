import { setWithEviction } from '#platform/cache'
import type { Clock } from '#platform/clock'

const maxEntries = 10_000

/** Returns a function that is true at most once per key and interval. */
export function allowOncePerInterval({ clock, seconds }: { clock: Clock; seconds: number }): (key: string) => boolean {
  const allowedAt = new Map<string, number>()
  return (key) => {
    const now = clock.now().getTime()
    if (now - (allowedAt.get(key) ?? Number.NEGATIVE_INFINITY) < seconds * 1_000) return false
    setWithEviction(allowedAt, key, now, maxEntries)
    return true
  }
}
