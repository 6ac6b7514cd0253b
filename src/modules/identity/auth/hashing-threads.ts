import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { inTurn } from './hashing-queue.ts'

export type Cost = { memoryCost: number; timeCost: number; parallelism: number }
/** To hash at a cost, or to compare with a hash. */
export type Hashing = { password: string; cost: Cost } | { password: string; against: string }
export type HashingOutcome = { result: string | boolean } | { error: string }

const idle: Worker[] = []

/**
 * Passwords are hashed in threads of their own and at low priority: a flood of sign-ins takes what the other requests leave
 * of the processor, and none of the threads that files and signatures need.
 */
export const hashInThread = ({ password, cost }: { password: string; cost: Cost }): Promise<string> =>
  inTurn(() => carryOut({ password, cost })) as Promise<string>

export const verifyInThread = ({ password, against }: { password: string; against: string }): Promise<boolean> =>
  inTurn(() => carryOut({ password, against })) as Promise<boolean>

async function carryOut(hashing: Hashing): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL('./hashing-thread.ts', import.meta.url))
  thread.ref()
  thread.postMessage(hashing)
  // A thread that dies takes this attempt with it: `once` throws its error, and the next attempt gets a new one.
  const [outcome] = (await once(thread, 'message')) as [HashingOutcome]
  // A thread at rest keeps no process alive.
  thread.unref()
  idle.push(thread)
  if ('error' in outcome) throw new Error(outcome.error)
  return outcome.result
}
