// Runs the API with file routes in a process of its own, so that its memory can be measured.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { type Config, readConfig } from '#platform/config'
import { buildApp } from '../../app.ts'
import { openServices } from '../../services.ts'
import { fileRoutes, purposes } from './file-routes.fixture.ts'

/** Starts a process that uses the database, the storage and the keys of a test application. */
export async function startFilesProcess(config: Config) {
  const child = fork(import.meta.filename, {
    execArgv: ['--max-semi-space-size=8'],
    env: { ...toEnvironment(config), FILES_PROCESS: 'true' },
  })
  after(() => child.kill())
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    /** Current and highest resident memory in MiB. */
    async measureMemory(): Promise<{ current: number; peak: number }> {
      child.send('measure')
      const [memory] = await once(child, 'message')
      return memory
    },
  }
}

const toEnvironment = (config: Config) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_FACTOR: '0',
  OVERLOAD_DELAY_MS: '0',
  APP_DOMAIN: config.APP_DOMAIN,
  DATABASE_URL: config.DATABASE_URL,
  DATABASE_SYSTEM_URL: config.DATABASE_SYSTEM_URL,
  STORAGE_URL: config.STORAGE_URL,
  SIGNING_KEYS: config.SIGNING_KEYS,
  SECRETS_KEYS: config.SECRETS_KEYS,
})

if (process.env.FILES_PROCESS) {
  const { services } = await openServices(readConfig(process.env))
  services.registry.filePurposes.push(...purposes)
  await services.jobQueue.start()
  services.lifecycle.state = 'ready'
  const app = await buildApp(services, async (empty) => void (await empty.register(fileRoutes(services))))
  process.on('message', () => {
    const current = Math.round(process.memoryUsage().rss / 1_048_576)
    process.send!({ current, peak: Math.round(process.resourceUsage().maxRSS / 1_024) })
  })
  process.send!({ port: Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port) })
}
