import { setNewest } from '#platform/cache'
import type { Clock } from '#platform/clock'

const maxRemembered = 10_000

/** Says yes to the same key at most once in so many seconds. */
export function seldom({ clock, seconds }: { clock: Clock; seconds: number }): (key: string) => boolean {
  const saidYesAt = new Map<string, number>()
  return (key) => {
    const now = clock.now().getTime()
    if (now - (saidYesAt.get(key) ?? Number.NEGATIVE_INFINITY) < seconds * 1_000) return false
    setNewest(saidYesAt, key, now, maxRemembered)
    return true
  }
}
