import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from '#platform/concurrency'
import type { ThreadOutcome, ThreadTask } from './thread-pool.ts'

const port = parentPort!

lowerThreadPriority()
port.on('message', async (task: ThreadTask) => port.postMessage(await runTask(task)))
port.postMessage('ready')

async function runTask({ file, name, args }: ThreadTask): Promise<ThreadOutcome> {
  try {
    const functions = (await import(file)) as Record<string, (...args: unknown[]) => unknown>
    return { result: functions[name]!(...args) }
  } catch (error) {
    return { error }
  }
}
