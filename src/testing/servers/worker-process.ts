import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import type { Config } from '#platform/config'
import { programEnvironment, programPath } from './programs.ts'

/** Starts a worker in a process that the test can kill. */
export async function startWorkerProcess(config: Config, program = [programPath('src/main.ts'), 'work']) {
  const settings = Object.entries({ ...config, LOG_LEVEL: 'info', METRICS_PORT: 0 })
  const child = spawn(process.execPath, program, {
    env: { ...programEnvironment(), ...Object.fromEntries(settings.map(([name, value]) => [name, String(value)])) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('"worker started"') && resolve())
    child.once('exit', (code) => reject(new Error(`The worker exited with code ${code} before it was ready.`)))
  })
  return {
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
