import type { Clock } from '#platform/clock'

/** Goes like the real one, and can be put forward. */
export function movableClock(): Clock & { advance(seconds: number): void } {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(seconds) {
      ahead += seconds * 1_000
    },
  }
}
