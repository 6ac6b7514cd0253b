import { setTimeout as sleep } from 'node:timers/promises'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { rateLimited } from '#platform/errors'
import { addPendingAttempts, incrementThrottle, settlePendingAttempts } from './throttles.queries.ts'
import { assertUnderLimit, invitationThrottle, PendingAttemptsError, type Throttle } from './throttles.rules.ts'

/**
 * Reserves an attempt before its outcome is known, so that concurrent attempts share the limit. `settleAttempt` releases
 * it. Throws if the limit is reached; the transaction must then roll back.
 */
export async function reserveAttempt(
  tx: TenantTx,
  throttles: readonly Throttle[],
  now: Date,
  describe?: (wait: string) => string,
): Promise<void> {
  const counts = await addPendingAttempts(tx, throttles, now)
  assertUnderLimit(throttles, counts, now, describe)
}

type Outcome = 'succeeded' | 'failed' | 'abandoned'

export async function settleAttempt(
  tx: TenantTx,
  throttles: readonly Throttle[],
  outcome: Outcome,
): Promise<{ isLimitReached: boolean }> {
  if (!throttles.length) return { isLimitReached: false }
  const counts = await settlePendingAttempts(
    tx,
    throttles.map((throttle) => ({
      throttle,
      hasFailed: outcome === 'failed',
      isCleared: outcome === 'succeeded' && throttle.isClearedBySuccess,
    })),
  )
  const isLimitReached = throttles.some(({ bucket, limit }) =>
    counts.some((row) => row.bucket.equals(bucket) && row.count === limit),
  )
  return { isLimitReached: outcome === 'failed' && isLimitReached }
}

/** Counts an event, and returns the seconds to wait if there were too many in the window. */
export async function countEvent(
  tx: TenantTx,
  limit: Throttle,
  now: Date,
): Promise<{ retryAfterSeconds: number | null }> {
  const { count, window_ends_at } = await incrementThrottle(tx, limit, now)
  return { retryAfterSeconds: count <= limit.limit ? null : (window_ends_at.getTime() - now.getTime()) / 1_000 }
}

export async function countInvitation(tx: TenantTx, now: Date): Promise<void> {
  const throttle = invitationThrottle(tenantIdOf(tx))
  const { count, window_ends_at } = await incrementThrottle(tx, throttle, now)
  if (count <= throttle.limit) return
  throw rateLimited(
    (window_ends_at.getTime() - now.getTime()) / 1_000,
    (wait) => `This workspace has sent too many invitations today. Try again in ${wait}.`,
  )
}

const retryMilliseconds = 50
const maxWaitMilliseconds = 3_000

/** Retries while the limit is only reached because of pending attempts. */
export async function retryWhilePending<T>(reserve: () => Promise<T>): Promise<T> {
  for (let waitedMilliseconds = 0; ; waitedMilliseconds += retryMilliseconds) {
    try {
      return await reserve()
    } catch (error) {
      if (!(error instanceof PendingAttemptsError) || waitedMilliseconds >= maxWaitMilliseconds) throw error
      await sleep(retryMilliseconds)
    }
  }
}
