import { AppError } from '#platform/errors'

/** Thrown before the work has started, so the caller can safely retry. */
export class QueueFullError extends AppError {
  constructor() {
    super(429, 'rate_limited', 'The server is busy. Try again in a moment.', { headers: { 'retry-after': '2' } })
  }
}

type SemaphoreOptions = { concurrency: number; maxQueued: number }

/** Semaphore with a bounded queue; throws `QueueFullError` when the queue is full. */
export function createSemaphore({ concurrency, maxQueued }: SemaphoreOptions) {
  let running = 0
  const queue: (() => void)[] = []

  async function acquire(): Promise<void> {
    if (running < concurrency) {
      running++
      return
    }
    if (queue.length >= maxQueued) throw new QueueFullError()
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  function release(): void {
    const next = queue.shift()
    if (next) next()
    else running--
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
}
