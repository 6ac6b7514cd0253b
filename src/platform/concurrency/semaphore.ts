import { AppError } from '#platform/errors'

/** Thrown before the work has started, so the caller can safely retry. */
export class QueueFullError extends AppError {
  constructor() {
    super(429, 'rate_limited', 'The server is busy. Try again in a moment.', { headers: { 'retry-after': '2' } })
  }
}

type SemaphoreOptions = { concurrency: number; maxPerKey?: number; maxQueued: number; maxWaitMs?: number }

type Waiter = { start(): void; reject(error: unknown): void }

type RunWithSlot = <T>(key: string, work: () => Promise<T>, options?: { signal?: AbortSignal }) => Promise<T>

export type Semaphore = RunWithSlot & {
  /** Waits for a slot that the caller releases once. */
  acquire(key: string): Promise<() => void>
  countWaiting(): number
}

/** Semaphore with a bounded queue that serves its keys in turn. When it is full, the longest queue loses its last call. */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const { concurrency, maxPerKey = concurrency, maxQueued, maxWaitMs } = options
  const running = new Map<string, number>()
  let [runningInTotal, queued] = [0, 0]
  const queuesInTurn = new Map<string, Set<Waiter>>()

  const canStart = (key: string) => runningInTotal < concurrency && (running.get(key) ?? 0) < maxPerKey

  function countRunning(key: string, change: 1 | -1): void {
    const count = (running.get(key) ?? 0) + change
    if (count) running.set(key, count)
    else running.delete(key)
    runningInTotal += change
  }

  async function acquire(key: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (canStart(key)) {
      countRunning(key, 1)
      return
    }
    if (queued >= maxQueued) dropFromLongest(key)
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const waiter = { start, reject }
    addWaiter(key, waiter)
    const timer = maxWaitMs && setTimeout(() => dropWaiter(key, waiter), maxWaitMs)
    const abort = () => dropWaiter(key, waiter, signal?.reason)
    signal?.addEventListener('abort', abort)
    await promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }

  function dropFromLongest(key: string): void {
    const [longest, waiters] = [...queuesInTurn].reduce((one, other) => (other[1].size > one[1].size ? other : one))
    if (waiters.size <= (queuesInTurn.get(key)?.size ?? 0) + 1) throw new QueueFullError()
    dropWaiter(longest, [...waiters].at(-1)!)
  }

  function dropWaiter(key: string, waiter: Waiter, error: unknown = new QueueFullError()): void {
    if (removeWaiter(key, waiter)) waiter.reject(error)
  }

  function addWaiter(key: string, waiter: Waiter): void {
    const waiters = queuesInTurn.get(key) ?? new Set()
    queuesInTurn.set(key, waiters.add(waiter))
    queued++
  }

  function removeWaiter(key: string, waiter: Waiter): boolean {
    const waiters = queuesInTurn.get(key)
    if (!waiters?.delete(waiter)) return false
    if (!waiters.size) queuesInTurn.delete(key)
    queued--
    return true
  }

  function release(released: string): void {
    countRunning(released, -1)
    const next = queuesInTurn.entries().find(([key]) => canStart(key))
    if (!next) return
    const [key, waiters] = next
    const [waiter] = waiters as Set<Waiter> & [Waiter]
    removeWaiter(key, waiter)
    if (queuesInTurn.delete(key)) queuesInTurn.set(key, waiters)
    countRunning(key, 1)
    waiter.start()
  }

  const run: RunWithSlot = async (key, work, { signal } = {}) => {
    await acquire(key, signal)
    try {
      return await work()
    } finally {
      release(key)
    }
  }
  return Object.assign(run, {
    async acquire(key: string) {
      await acquire(key, undefined)
      return () => release(key)
    },
    countWaiting: () => queued,
  })
}
