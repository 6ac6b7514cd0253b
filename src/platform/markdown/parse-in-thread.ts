import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createSemaphore } from '#platform/concurrency'
import type { ParsedText, Refusal } from './parse-text.ts'

const tooComplex: Refusal = { code: 'too_complex', problem: 'takes too long to format. Shorten or simplify it.' }

/** Parses texts one after the other in a thread, so that an expensive one does not delay requests. The keys take turns. */
export function createParserThread({ timeLimitMs }: { timeLimitMs: number }) {
  const takeTurn = createSemaphore({ concurrency: 1, maxQueued: 200, maxWaitMs: 10_000 })
  let current: Worker | undefined

  async function startThread(): Promise<Worker> {
    const thread = new Worker(new URL('./markdown-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    await once(thread, 'message')
    return thread
  }

  async function parse(source: string): Promise<ParsedText | Refusal> {
    const thread = current ?? (await startThread())
    current = undefined
    thread.ref()
    const timer = new AbortController()
    thread.postMessage(source)
    try {
      const late = sleep(timeLimitMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const)
      const outcome = await Promise.race([receive(thread), late])
      if (outcome === 'late') await thread.terminate()
      if (outcome === 'late' || outcome === 'ended') return tooComplex
      current = thread
      return outcome
    } finally {
      timer.abort()
      // An idle thread must not keep the process alive.
      thread.unref()
    }
  }

  return (key: string, source: string): Promise<ParsedText | Refusal> => takeTurn(key, () => parse(source))
}

/** A thread that runs out of memory ends. */
async function receive(thread: Worker): Promise<ParsedText | Refusal | 'ended'> {
  try {
    const [outcome] = (await once(thread, 'message')) as [ParsedText | Refusal]
    return outcome
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY') return 'ended'
    throw error
  }
}
