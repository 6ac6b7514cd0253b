import { createHash } from 'node:crypto'
import { AppError, rateLimited } from '#platform/errors'
import { networkOf, networkPrefixOf } from '#platform/limits'

/** Limit on failed attempts per window. The bucket key is hashed so that the table reveals no emails. */
export type Throttle = { bucket: Buffer; limit: number; windowSeconds: number; isClearedBySuccess: boolean }

export type ThrottleCount = { bucket: Buffer; count: number; pending: number; window_ends_at: Date }

const quarterHour = 15 * 60
const hour = 3_600
const day = 86_400

type Attempt = { tenantId: string; emailKey: string; ip: string; isKnownNetwork: boolean }

/** A known network has its own limit per email address, so that attackers elsewhere cannot lock the user out. */
export function loginThrottles({ tenantId, emailKey, ip, isKnownNetwork }: Attempt): Throttle[] {
  const [network, prefix] = [networkOf(ip), networkPrefixOf(ip)]
  return [
    throttle([tenantId, 'login', emailKey, network], 5, quarterHour, { isClearedBySuccess: true }),
    throttle([tenantId, 'login_network', network], 100, quarterHour),
    throttle([tenantId, 'login_prefix', prefix], 500, quarterHour),
    ...(isKnownNetwork
      ? [throttle([tenantId, 'login_known', emailKey, prefix], 100, hour)]
      : [throttle([tenantId, 'login_email', emailKey], 50, hour), throttle([tenantId, 'login_tenant'], 2_000, hour)]),
  ]
}

export const changePasswordThrottles = (tenantId: string, userId: string): Throttle[] => [
  throttle([tenantId, 'change_password', userId], 5, quarterHour, { isClearedBySuccess: true }),
]

export const invitationThrottle = (tenantId: string): Throttle => throttle([tenantId, 'invitation'], 500, day)

export function throttle(
  parts: string[],
  limit: number,
  windowSeconds: number,
  { isClearedBySuccess = false } = {},
): Throttle {
  const bucket = createHash('sha256').update(JSON.stringify(parts)).digest()
  return { bucket, limit, windowSeconds, isClearedBySuccess }
}

/** Attempts in flight may still free capacity; retry shortly. */
export class PendingAttemptsError extends AppError {
  constructor() {
    super(429, 'rate_limited', 'Too many attempts at the same time. Try again in a moment.', {
      headers: { 'retry-after': '1' },
    })
  }
}

const describeLoginLimit = (wait: string) => `Too many failed attempts. Try again in ${wait} or reset your password.`

export function assertUnderLimit(
  throttles: readonly Throttle[],
  counts: readonly ThrottleCount[],
  now: Date,
  describe = describeLoginLimit,
): void {
  const countByBucket = new Map(counts.map((row) => [row.bucket.toString('hex'), row]))
  const states = throttles.map(({ bucket, limit }) => ({ limit, ...countByBucket.get(bucket.toString('hex'))! }))
  const full = states.filter(({ count, limit }) => count >= limit)
  if (full.length) {
    const freeAt = Math.max(...full.map(({ window_ends_at }) => window_ends_at.getTime()))
    throw rateLimited((freeAt - now.getTime()) / 1_000, describe)
  }
  if (states.some(({ count, pending, limit }) => count + pending > limit)) throw new PendingAttemptsError()
}
