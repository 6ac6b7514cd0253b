import { secondsLater } from '#platform/clock'

const [minute, hour] = [60, 3_600]
/** Seconds after each failed attempt; the tenth failure is final. */
const retrySeconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
const jitter = 0.1
const maxRetryAfterSeconds = 24 * hour

export const maxAttempts = retrySeconds.length + 1

type Retry = { now: Date; random: () => number; retryAfterSeconds?: number | null }

/** Returns the time of the next attempt, or null after the last one. `random` is between 0 and 1. */
export function nextAttemptAt(attempts: number, { now, random, retryAfterSeconds }: Retry): Date | null {
  const seconds = retrySeconds[attempts - 1]
  if (seconds === undefined) return null
  const planned = seconds * (1 + jitter * (2 * random() - 1))
  return secondsLater(now, Math.max(planned, retryAfterSeconds ?? 0))
}

/** Reads `Retry-After` in seconds or as an HTTP date, up to 24 hours. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (!header) return null
  const seconds = /^\d{1,9}$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1_000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), maxRetryAfterSeconds)
}
