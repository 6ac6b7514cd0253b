import { Worker } from 'node:worker_threads'
import { installWorkReader } from './current-work.ts'

const heartbeatMs = 1_000

/** File that exports `handleStandstill(work, ...args)`, which is called before the process ends. */
export type StandstillHandler = { file: string; args: string[] }

export type WatchdogData = { heartbeats: Int32Array; seconds: number; handler: StandstillHandler | null }

/**
 * Ends the process when its event loop stood still for the given time, after logging what it was working on. A process in that
 * state serves no workspace, and cannot even react to signals; an orchestrator starts another one.
 */
export function startWatchdog({ seconds, handler = null }: { seconds: number; handler?: StandstillHandler | null }) {
  if (seconds === 0) return { stop: async () => {} }
  installWorkReader()
  const heartbeats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: WatchdogData = { heartbeats, seconds, handler }
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData })
  thread.unref()
  const timer = setInterval(() => {
    Atomics.add(heartbeats, 0, 1)
    Atomics.notify(heartbeats, 0)
  }, heartbeatMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}
