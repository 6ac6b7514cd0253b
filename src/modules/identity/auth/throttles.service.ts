import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantTx } from '#platform/db'
import { addPending, settlePending } from './throttles.queries.ts'
import { AttemptsUnderWay, assertRoom, type Throttle } from './throttles.rules.ts'

/**
 * Takes a place for an attempt before it is known how it ends, so that many at once get no more tries than one after the
 * other. The place is given back by `settleAttempt`. If there is none this throws, and the transaction must end with it.
 */
export async function claimAttempt(tx: TenantTx, throttles: readonly Throttle[], now: Date): Promise<void> {
  const counted = await addPending(tx, throttles, now)
  assertRoom(throttles, counted, now)
}

type Outcome = 'succeeded' | 'failed' | 'abandoned'

/** Only failures count. Tells whether this one filled a bucket. */
export async function settleAttempt(
  tx: TenantTx,
  throttles: readonly Throttle[],
  outcome: Outcome,
): Promise<{ isLimitReached: boolean }> {
  if (!throttles.length) return { isLimitReached: false }
  const counted = await settlePending(
    tx,
    throttles.map((throttle) => ({
      throttle,
      hasFailed: outcome === 'failed',
      isCleared: outcome === 'succeeded' && throttle.isClearedBySuccess,
    })),
  )
  const isLimitReached = throttles.some(({ bucket, limit }) =>
    counted.some((row) => row.bucket.equals(bucket) && row.count === limit),
  )
  return { isLimitReached: outcome === 'failed' && isLimitReached }
}

const stepMilliseconds = 50
const maxWaitMilliseconds = 3_000

/** Waits for the attempts under way, as long as they are what there is no room for. */
export async function whenThereIsRoom<T>(claim: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += stepMilliseconds) {
    try {
      return await claim()
    } catch (error) {
      if (!(error instanceof AttemptsUnderWay) || waited >= maxWaitMilliseconds) throw error
      await sleep(stepMilliseconds)
    }
  }
}
