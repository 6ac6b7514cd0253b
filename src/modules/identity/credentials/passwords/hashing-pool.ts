import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createSemaphore } from '#platform/concurrency'

export type HashingCost = { memoryCost: number; timeCost: number; parallelism: number }
export type HashingTask = { password: string; cost: HashingCost } | { password: string; against: string }
export type HashingOutcome = { result: string | boolean } | { error: string }

export const hashingSemaphore = createSemaphore({ concurrency: 2 * availableParallelism(), maxQueued: 200 })
const idle: Worker[] = []

/**
 * Hashes in separate low-priority threads, so that a login flood uses only the CPU time that other requests leave over
 * and does not block the libuv thread pool.
 */
export const hashInPool = (tenantId: string, password: string, cost: HashingCost): Promise<string> =>
  hashingSemaphore(tenantId, () => runInThread({ password, cost })) as Promise<string>

export const verifyInPool = (tenantId: string, password: string, against: string): Promise<boolean> =>
  hashingSemaphore(tenantId, () => runInThread({ password, against })) as Promise<boolean>

async function runInThread(task: HashingTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL('./hashing-thread.ts', import.meta.url))
  thread.ref()
  thread.postMessage(task)
  // `once` rejects if the thread crashes; the crashed thread does not return to the pool.
  const [outcome] = (await once(thread, 'message')) as [HashingOutcome]
  // Idle threads must not keep the process alive.
  thread.unref()
  idle.push(thread)
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.result
}
