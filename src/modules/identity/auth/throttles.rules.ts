import { createHash } from 'node:crypto'
import { AppError, rateLimited } from '#platform/errors'
import { networkOf } from '#platform/limits'

/** So many failed attempts in so long. The bucket is a hash, so that the table tells nothing about anybody. */
export type Throttle = { bucket: Buffer; limit: number; windowSeconds: number; isClearedBySuccess: boolean }

/** A bucket as the database counts it; `pending` attempts are under way, the asking one included. */
export type Counted = { bucket: Buffer; count: number; pending: number; window_ends_at: Date }

const quarterHour = 15 * 60
const hour = 3_600

type Attempt = { tenantId: string; email: string; ip: string; isKnownNetwork: boolean }

/** Whoever signs in from a network they are known in is not held up by what strangers do with their address. */
export function loginThrottles({ tenantId, email, ip, isKnownNetwork }: Attempt): Throttle[] {
  const network = networkOf(ip)
  const address = email.toLowerCase()
  const here = throttle([tenantId, 'login', address, network], 5, quarterHour, { isClearedBySuccess: true })
  const anywhere = throttle([tenantId, 'login_email', address], 50, hour)
  const fromHere = throttle([tenantId, 'login_network', network], 100, quarterHour)
  return isKnownNetwork ? [here, fromHere] : [here, anywhere, fromHere]
}

export const changePasswordThrottles = (tenantId: string, userId: string): Throttle[] => [
  throttle([tenantId, 'change_password', userId], 5, quarterHour, { isClearedBySuccess: true }),
]

function throttle(
  parts: string[],
  limit: number,
  windowSeconds: number,
  { isClearedBySuccess = false } = {},
): Throttle {
  const bucket = createHash('sha256').update(JSON.stringify(parts)).digest()
  return { bucket, limit, windowSeconds, isClearedBySuccess }
}

/** Others are being checked right now. Whether there is room is known in a moment. */
export class AttemptsUnderWay extends AppError {
  constructor() {
    super(429, 'rate_limited', 'Too many attempts at the same time. Try again in a moment.', {
      headers: { 'retry-after': '1' },
    })
  }
}

export function assertRoom(throttles: readonly Throttle[], counted: readonly Counted[], now: Date): void {
  const found = new Map(counted.map((row) => [row.bucket.toString('hex'), row]))
  const states = throttles.map(({ bucket, limit }) => ({ limit, ...found.get(bucket.toString('hex'))! }))
  const full = states.filter(({ count, limit }) => count >= limit)
  if (full.length) {
    const freeAt = Math.max(...full.map(({ window_ends_at }) => window_ends_at.getTime()))
    throw rateLimited(
      Math.max(1, (freeAt - now.getTime()) / 1_000),
      'Too many failed attempts. Wait until then, or reset your password.',
    )
  }
  if (states.some(({ count, pending, limit }) => count + pending > limit)) throw new AttemptsUnderWay()
}
