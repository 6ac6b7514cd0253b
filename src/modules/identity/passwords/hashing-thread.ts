import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashingOutcome, HashingTask } from './hashing-pool.ts'

const port = parentPort!

lowerPriority()
port.on('message', (task: HashingTask) => port.postMessage(runTask(task)))

function runTask(task: HashingTask): HashingOutcome {
  try {
    if ('cost' in task) return { result: hashSync(task.password, task.cost) }
    return { result: verifySync(task.against, task.password) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Works on Linux only, where priorities are per thread. Elsewhere the default priority stays. */
function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}
