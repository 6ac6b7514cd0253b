import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import type { Config } from '#platform/config'

/** A worker as it is run, in a process that a test can kill. */
export async function startWorkerProcess(config: Config) {
  const given = Object.entries({ ...config, LOG_LEVEL: 'info', METRICS_PORT: 0 })
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), 'work'], {
    env: { PATH: process.env.PATH, ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('"working"') && resolve())
    child.once('exit', (code) => reject(new Error(`The worker ended with ${code} before it began.`)))
  })
  return {
    /** Without warning, in the middle of whatever it does. */
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
