import { daysLater, secondsLater } from '#platform/clock'

export const breakerThreshold = 10
const maxProbeMinutes = 60
const warningSeconds = 24 * 3_600
const disablingDays = 5

export type EndpointHealth = {
  breaker: string
  probes: number
  next_probe_at: Date | null
  consecutive_failures: number
  first_failure_at: Date | null
  last_success_at: Date | null
  warned_at: Date | null
}

/** Applies the outcomes of attempts in the order in which they ended. */
export const applyAttempts = <H extends EndpointHealth>(
  health: H,
  attempts: readonly { isSuccess: boolean; ended_at: Date }[],
): EndpointHealth =>
  attempts.reduce(
    (current: EndpointHealth, { isSuccess, ended_at }) => (isSuccess ? succeed(ended_at) : fail(current, ended_at)),
    pickHealth(health),
  )

const pickHealth = ({ breaker, probes, next_probe_at, ...rest }: EndpointHealth): EndpointHealth => {
  const { consecutive_failures, first_failure_at, last_success_at, warned_at } = rest
  return { breaker, probes, next_probe_at, consecutive_failures, first_failure_at, last_success_at, warned_at }
}

const succeed = (now: Date): EndpointHealth => ({
  breaker: 'closed',
  probes: 0,
  next_probe_at: null,
  consecutive_failures: 0,
  first_failure_at: null,
  last_success_at: now,
  warned_at: null,
})

function fail(health: EndpointHealth, now: Date): EndpointHealth {
  const consecutive_failures = health.consecutive_failures + 1
  const failed = { ...health, consecutive_failures, first_failure_at: health.first_failure_at ?? now }
  if (consecutive_failures < breakerThreshold) return failed
  const probes = health.breaker === 'open' ? health.probes + 1 : 0
  const minutes = Math.min(2 ** probes, maxProbeMinutes)
  return { ...failed, breaker: 'open', probes, next_probe_at: secondsLater(now, minutes * 60) }
}

/** Whether the admins must be told that nothing was delivered for 24 hours. */
export const isWarningDue = (health: EndpointHealth, now: Date): boolean =>
  health.warned_at === null && isFailingSince(health, secondsLater(now, -warningSeconds))

export const isDisablingDue = (health: EndpointHealth, now: Date): boolean =>
  isFailingSince(health, daysLater(now, -disablingDays))

const isFailingSince = ({ consecutive_failures, first_failure_at }: EndpointHealth, since: Date): boolean =>
  consecutive_failures >= breakerThreshold && first_failure_at !== null && first_failure_at <= since

type Planned = Pick<EndpointHealth, 'next_probe_at'>

/** The breaker delays deliveries until the next probe. */
export const nextDispatchAt = ({ next_probe_at }: Planned, nextAttempt: Date): Date =>
  next_probe_at && next_probe_at > nextAttempt ? next_probe_at : nextAttempt

const maxConcurrency = 5
const slowMs = 5_000

export const firstConcurrency = 1

/** A response within five seconds doubles the number of requests at the same time, a later one sets it back. */
export const nextConcurrency = (current: number, durationMs: number): number =>
  durationMs < slowMs ? Math.min(current * 2, maxConcurrency) : firstConcurrency

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
