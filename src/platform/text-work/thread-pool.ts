import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

export type ThreadTask = { file: string; name: string; args: unknown[] }
export type ThreadOutcome = { result: unknown } | { error: unknown }

/** Returns a function that runs a task in an idle or new thread. A thread that exceeds its time or memory is stopped. */
export function createThreadPool({ maxHeapMb }: { maxHeapMb: number }) {
  const idle: Worker[] = []

  return async (task: ThreadTask, timeLimitMs: number): Promise<{ result: unknown } | 'stopped'> => {
    const thread = idle.pop() ?? (await startThread(maxHeapMb))
    thread.ref()
    const timer = new AbortController()
    thread.postMessage(task)
    try {
      const late = sleep(timeLimitMs, 'stopped' as const, { signal: timer.signal }).catch(() => 'stopped' as const)
      const outcome = await Promise.race([receiveOutcome(thread), late])
      if (outcome === 'stopped') {
        await thread.terminate()
        return outcome
      }
      idle.push(thread)
      if ('error' in outcome) throw outcome.error
      return outcome
    } finally {
      timer.abort()
      // An idle thread must not keep the process alive.
      thread.unref()
    }
  }
}

/** Waits until the thread is ready, because the time limit is for the text only. */
async function startThread(maxHeapMb: number): Promise<Worker> {
  const thread = new Worker(new URL('./text-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  await once(thread, 'message')
  return thread
}

async function receiveOutcome(thread: Worker): Promise<ThreadOutcome | 'stopped'> {
  try {
    const [outcome] = (await once(thread, 'message')) as [ThreadOutcome]
    return outcome
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') return 'stopped'
    throw error
  }
}
