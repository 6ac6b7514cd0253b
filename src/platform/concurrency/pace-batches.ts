import { setTimeout as sleep } from 'node:timers/promises'

const maxPauseMs = 500
const usualSpread = 1.5

/**
 * Returns a function that waits after each batch by as much as the batch was slower than the fastest one: batches are slow when
 * others use the processor, and these come first. A batch is at most doubled.
 */
export function createBatchPace(): (elapsedMs: number, signal: AbortSignal) => Promise<void> {
  let fastestMs = Number.POSITIVE_INFINITY
  return async (elapsedMs, signal) => {
    fastestMs = Math.min(fastestMs, elapsedMs)
    const pauseMs = Math.min(elapsedMs - usualSpread * fastestMs, maxPauseMs)
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}
