import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import type { Work } from './current-work.ts'
import { inspectMainThread } from './inspect-main-thread.ts'
import type { WatchdogData } from './watchdog.ts'

const { heartbeats, seconds, handler } = workerData as WatchdogData
const maxHandlerMs = 5_000

for (;;) {
  waitForStandstill()
  const { work, stack } = await inspectMainThread()
  if (hasHeartbeat()) {
    writeLog('warn', 'the event loop stood still, but continues', { ...work, stack, seconds })
    continue
  }
  writeLog('fatal', 'the event loop stands still, the process ends', { ...work, stack, seconds })
  await Promise.race([handleStandstill(work), sleep(maxHandlerMs)])
  process.kill(process.pid, 'SIGKILL')
}

/** Counts seconds without a heartbeat instead of measuring the time, because a paused process misses only one. */
function waitForStandstill(): void {
  for (let missed = 0; missed < seconds; ) missed = hasHeartbeat() ? 0 : missed + 1
}

function hasHeartbeat(): boolean {
  const last = Atomics.load(heartbeats, 0)
  return Atomics.wait(heartbeats, 0, last, 1_000) !== 'timed-out'
}

async function handleStandstill(work: Work): Promise<void> {
  if (!handler) return
  try {
    const { handleStandstill: handle } = await import(handler.file)
    await handle(work, ...handler.args)
  } catch (error) {
    writeLog('error', 'the standstill could not be handled', { error: String(error) })
  }
}

/** Writes to the standard output itself, because the log belongs to the main thread. */
function writeLog(level: string, msg: string, fields: object): void {
  const line = { level, time: new Date().toISOString(), service: 'tributary', pid: process.pid, ...fields, msg }
  try {
    writeSync(1, `${JSON.stringify(line)}\n`)
  } catch {}
}
