import type { Clock } from '#platform/clock'

const maxRemembered = 10_000

/** Says yes to the same key at most once in so many seconds. */
export function seldom({ clock, seconds }: { clock: Clock; seconds: number }): (key: string) => boolean {
  const saidYesAt = new Map<string, number>()
  return (key) => {
    const now = clock.now().getTime()
    if (now - (saidYesAt.get(key) ?? Number.NEGATIVE_INFINITY) < seconds * 1_000) return false
    saidYesAt.delete(key)
    saidYesAt.set(key, now)
    for (const oldest of saidYesAt.keys()) {
      if (saidYesAt.size <= maxRemembered) break
      saidYesAt.delete(oldest)
    }
    return true
  }
}
