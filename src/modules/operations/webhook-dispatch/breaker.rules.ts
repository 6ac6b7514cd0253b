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
