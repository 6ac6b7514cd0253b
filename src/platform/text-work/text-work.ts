import { createSemaphore } from '#platform/concurrency'
import { AppError } from '#platform/errors'
import { createThreadPool } from './thread-pool.ts'

/** Two threads, of which a workspace uses one at a time, so that an expensive text delays only texts of its workspace. */
const concurrency = 2
const runWithSlot = createSemaphore({ concurrency, maxPerKey: 1, maxQueued: 200, maxWaitMs: 10_000 })
const runInThread = createThreadPool({ maxHeapMb: 128 })

const defaultTimeLimitMs = 5_000
const maxShortText = 2_000

type TextWork<Args extends unknown[], Result> = {
  /** File that exports `run`. Threads import it, so it must not import the application. */
  file: URL
  run: (...args: Args) => Result
  /** Whether it takes at most a few milliseconds. It is then done at once. */
  isCheap: (...args: Args) => boolean
  timeLimitMs?: number
}

export const isShortText = (text: string): boolean => text.length <= maxShortText

export class TextTooComplexError extends AppError {
  constructor() {
    super(422, 'text_too_complex', 'The text takes too long to process. Shorten or simplify it.')
  }
}

/**
 * Defines work whose time depends on a text that users write. Returns a function that does it in a thread and takes the workspace
 * first. It waits for a thread, so it must not be called in a transaction.
 */
export function defineTextWork<Args extends unknown[], Result>(work: TextWork<Args, Result>) {
  const { file, run, timeLimitMs = defaultTimeLimitMs } = work
  const task = { file: file.href, name: run.name }
  return async (tenantId: string, ...args: Args): Promise<Result> => {
    if (work.isCheap(...args)) return run(...args)
    const outcome = await runWithSlot(tenantId, () => runInThread({ ...task, args }, timeLimitMs))
    if (outcome === 'stopped') throw new TextTooComplexError()
    return outcome.result as Result
  }
}
