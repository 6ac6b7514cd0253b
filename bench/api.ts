import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '#platform/config'
import { generateKeyEntry } from '#platform/secrets'
import { freePort } from '#testing'

type Urls = { appUrl: string; systemUrl: string }

export const domain = 'tributary.test'

export const createEnvironment = ({ appUrl, systemUrl }: Urls, overrides: Record<string, string> = {}) => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  APP_DOMAIN: domain,
  DATABASE_URL: appUrl,
  DATABASE_SYSTEM_URL: systemUrl,
  SIGNING_KEYS: generateKeyEntry('bench'),
  SECRETS_KEYS: generateKeyEntry('bench'),
  ...overrides,
})

export const currentCheckout = join(import.meta.dirname, '..')

/** Starts the API in a separate process, so that the measuring process does not slow it down. */
export async function startApi(environment: Environment, checkout = currentCheckout) {
  const port = await freePort()
  const settings = { PORT: String(port), METRICS_PORT: '0', DRAIN_SECONDS: '0' }
  const { child, stop } = startProgram('serve', { ...environment, ...settings }, checkout)
  child.stdout.resume()
  await waitUntilReady(port)
  return { port, stop }
}

export async function startWorker(environment: Environment, checkout = currentCheckout) {
  const settings = { LOG_LEVEL: 'info', METRICS_PORT: '0' }
  const { child, stop } = startProgram('work', { ...environment, ...settings }, checkout)
  let hasStarted = false
  for await (const line of createInterface(child.stdout)) {
    hasStarted = line.includes('"worker started"')
    if (hasStarted) break
  }
  if (!hasStarted) throw new Error('The worker did not start.')
  child.stdout.resume()
  return { pid: child.pid!, stop }
}

function startProgram(command: 'serve' | 'work', environment: Environment, checkout: string) {
  const child = spawn(process.execPath, ['src/main.ts', command], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const terminate = () => child.kill('SIGTERM')
  process.once('exit', terminate)
  return {
    child,
    async stop() {
      process.off('exit', terminate)
      terminate()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function waitUntilReady(port: number): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error('The API did not start.')
}
