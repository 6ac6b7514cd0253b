import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * Maps items with at most `concurrency` calls of `work` at the same time. Results keep the order of the items. After an error no further
 * call starts, and the error is thrown when the running ones have ended.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const errors: unknown[] = []
  const remaining = items.entries()
  const run = async () => {
    for (const [index, item] of remaining) {
      if (errors.length) return
      try {
        results[index] = await work(item)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, run))
  if (errors.length) throw errors[0]
  return results
}

const sliceMs = 10

export async function mapWithPauses<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  let sliceStart = performance.now()
  for (const item of items) {
    if (performance.now() - sliceStart > sliceMs) {
      await nextTurn()
      sliceStart = performance.now()
    }
    results.push(map(item))
  }
  return results
}

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
