import { AppError } from '#platform/errors'

/** Thrown before the work has started, so the caller can safely retry. */
export class QueueFullError extends AppError {
  constructor() {
    super(429, 'rate_limited', 'The server is busy. Try again in a moment.', { headers: { 'retry-after': '2' } })
  }
}

type SemaphoreOptions = {
  concurrency: number
  maxQueued: number
  maxWaitMs?: number
  /** Slots that one key can hold; the rest stays free for others. */
  maxPerKey?: number
}

type Waiter = { start(): void; reject(error: QueueFullError): void }

/** Semaphore with a bounded queue that serves its keys in turn. When it is full, the longest queue loses its last call. */
export function createSemaphore({
  concurrency,
  maxQueued,
  maxWaitMs,
  maxPerKey = Number.POSITIVE_INFINITY,
}: SemaphoreOptions) {
  let running = 0
  let queued = 0
  const runningOf = new Map<string, number>()
  const queuesInTurn = new Map<string, Set<Waiter>>()

  const hasShare = (key: string): boolean => (runningOf.get(key) ?? 0) < maxPerKey

  function countRunning(key: string, change: 1 | -1): void {
    running += change
    const ofKey = (runningOf.get(key) ?? 0) + change
    if (ofKey) runningOf.set(key, ofKey)
    else runningOf.delete(key)
  }

  async function acquire(key: string): Promise<void> {
    if (running < concurrency && hasShare(key)) {
      countRunning(key, 1)
      return
    }
    if (queued >= maxQueued) dropFromLongest(key)
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const waiter = { start, reject }
    addWaiter(key, waiter)
    const timer = maxWaitMs && setTimeout(() => dropWaiter(key, waiter), maxWaitMs)
    await promise.finally(() => clearTimeout(timer))
  }

  function dropFromLongest(key: string): void {
    const [longest, waiters] = [...queuesInTurn].reduce((one, other) => (other[1].size > one[1].size ? other : one))
    if (waiters.size <= (queuesInTurn.get(key)?.size ?? 0) + 1) throw new QueueFullError()
    dropWaiter(longest, [...waiters].at(-1)!)
  }

  function dropWaiter(key: string, waiter: Waiter): void {
    removeWaiter(key, waiter)
    waiter.reject(new QueueFullError())
  }

  function addWaiter(key: string, waiter: Waiter): void {
    const waiters = queuesInTurn.get(key) ?? new Set()
    queuesInTurn.set(key, waiters.add(waiter))
    queued++
  }

  function removeWaiter(key: string, waiter: Waiter): void {
    const waiters = queuesInTurn.get(key)!
    waiters.delete(waiter)
    if (!waiters.size) queuesInTurn.delete(key)
    queued--
  }

  /** Starts at most one waiter: a key that waits although slots are free has used up its share. */
  function release(releasedKey: string): void {
    countRunning(releasedKey, -1)
    for (const [key, waiters] of queuesInTurn) {
      if (!hasShare(key)) continue
      const [waiter] = waiters as Set<Waiter> & [Waiter]
      removeWaiter(key, waiter)
      if (queuesInTurn.delete(key)) queuesInTurn.set(key, waiters)
      countRunning(key, 1)
      waiter.start()
      return
    }
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await acquire(key)
    try {
      return await work()
    } finally {
      release(key)
    }
  }
}
