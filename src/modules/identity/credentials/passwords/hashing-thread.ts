import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { lowerThreadPriority } from '#platform/concurrency'
import type { HashingOutcome, HashingTask } from './hashing-pool.ts'

const port = parentPort!

lowerThreadPriority()
port.on('message', (task: HashingTask) => port.postMessage(runTask(task)))

function runTask(task: HashingTask): HashingOutcome {
  try {
    if ('cost' in task) return { result: hashSync(task.password, task.cost) }
    return { result: verifySync(task.against, task.password) }
  } catch (error) {
    return { error: String(error) }
  }
}
