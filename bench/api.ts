import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '#platform/config'
import { newKeyLine } from '#platform/secrets'
import { freePort } from '#testing'

type Urls = { appUrl: string; systemUrl: string }

export const domain = 'tributary.test'

/** What the product needs to run on a database. */
export const environmentFor = ({ appUrl, systemUrl }: Urls, more: Record<string, string> = {}) => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  APP_DOMAIN: domain,
  DATABASE_URL: appUrl,
  DATABASE_SYSTEM_URL: systemUrl,
  SIGNING_KEYS: newKeyLine('bench'),
  SECRETS_KEYS: newKeyLine('bench'),
  ...more,
})

/** The API in a process of its own, so that whoever measures does not slow it down. */
export async function startApi(environment: Environment) {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts'), 'serve'], {
    env: { PATH: process.env.PATH, ...environment, PORT: String(port), METRICS_PORT: '0', DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  await untilServing(port)
  return {
    port,
    async stop() {
      process.off('exit', end)
      end()
      await once(child, 'exit')
    },
  }
}

async function untilServing(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('The API did not start.')
}
