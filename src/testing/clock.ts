import type { Clock } from '#platform/clock'

/** Runs like the system clock; can be advanced and stopped. */
export function createTestClock(): Clock & { advance(seconds: number): void; freeze(): void; reset(): void } {
  let offsetMs = 0
  let frozenMs: number | undefined
  return {
    now: () => new Date((frozenMs ?? Date.now()) + offsetMs),
    advance(seconds) {
      offsetMs += seconds * 1_000
    },
    freeze() {
      frozenMs ??= Date.now()
    },
    reset() {
      offsetMs = 0
      frozenMs = undefined
    },
  }
}
