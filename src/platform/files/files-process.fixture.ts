// Runs the API with file routes in a process of its own, so that its memory can be measured.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { type Environment, readConfig } from '#platform/config'
import { buildApp } from '../../app.ts'
import { openServices } from '../../services.ts'
import { fileRoutes, purposes } from './file-routes.fixture.ts'

export async function startFilesProcess(environment: Environment) {
  const child = fork(import.meta.filename, {
    execArgv: ['--max-semi-space-size=8'],
    env: { ...environment, FILES_PROCESS: 'true' },
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

if (process.env.FILES_PROCESS) {
  const { services } = await openServices(readConfig(process.env))
  services.registry.filePurposes.push(...purposes)
  services.lifecycle.state = 'ready'
  const app = await buildApp(services, async (empty) => void (await empty.register(fileRoutes(services))))
  process.on('message', () => {
    const current = Math.round(process.memoryUsage().rss / 1_048_576)
    process.send!({ current, peak: Math.round(process.resourceUsage().maxRSS / 1_024) })
  })
  process.send!({ port: Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port) })
}
