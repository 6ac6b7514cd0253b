// Started by hashing-threads.ts: a thread that does nothing but hash, and after everybody else who wants the processor.
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Hashing, HashingOutcome } from './hashing-threads.ts'

const port = parentPort!

giveWay()
port.on('message', (hashing: Hashing) => port.postMessage(carryOut(hashing)))

function carryOut(hashing: Hashing): HashingOutcome {
  try {
    if ('cost' in hashing) return { result: hashSync(hashing.password, hashing.cost) }
    return { result: verifySync(hashing.against, hashing.password) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Linux knows a priority per thread, under the id it has there. Elsewhere hashing is as urgent as everything else. */
function giveWay(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}
