const maxConcurrency = 5
const slowMs = 5_000

export const firstConcurrency = 1

/** A response within five seconds doubles the number of requests at the same time, a later one sets it back. */
export const nextConcurrency = (current: number, durationMs: number): number =>
  durationMs < slowMs ? Math.min(current * 2, maxConcurrency) : firstConcurrency
