import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childSeconds } from '../groups/processor-time.ts'
import type { PartResult } from './page.ts'
import type { Part } from './parts.ts'

const keptCharacters = 100_000
const secondsToStop = 30

/** Runs a part until it ends or its time is over. Its output goes to `write`, too. */
export async function runPart(
  { name, command, maxMinutes }: Part,
  { cwd, write }: { cwd: string; write(chunk: string): void },
): Promise<PartResult> {
  const startedAt = performance.now()
  const processorBefore = childSeconds()
  // A process group of its own, so that a part that takes too long is stopped with its child processes.
  const child = spawn(command, { cwd, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, hasTimedOut] = ['', false]
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-keptCharacters)
      write(chunk)
    })
  const timers = [
    setTimeout(() => {
      hasTimedOut = true
      output += `\nStopped after ${maxMinutes} minutes.\n`
      signalGroup(child.pid, 'SIGTERM')
    }, maxMinutes * 60_000),
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), maxMinutes * 60_000 + secondsToStop * 1_000),
  ]
  const [code] = await once(child, 'close')
  for (const timer of timers) clearTimeout(timer)
  const processorAfter = childSeconds()
  return {
    name,
    command,
    output,
    outcome: hasTimedOut ? 'timed out' : code === 0 ? 'passed' : 'failed',
    wallSeconds: (performance.now() - startedAt) / 1_000,
    processorSeconds:
      processorBefore === undefined || processorAfter === undefined ? undefined : processorAfter - processorBefore,
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid) process.kill(-pid, signal)
  } catch {
    // The group has already ended.
  }
}
