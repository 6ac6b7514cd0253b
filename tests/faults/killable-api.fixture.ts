// API server that kills itself on request after the commit and before the response, and can hold a request before its transaction
// or stop its event loop.
import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { readConfig } from '#platform/config'
import { startWatchdog } from '#platform/watchdog'
import { buildApp } from '../../src/app.ts'
import { openServices } from '../../src/services.ts'

const config = readConfig()
const { services } = await openServices(config)
await services.jobQueue.start()
const app = await buildApp(services, async (server) => {
  // Hooks of a route run after those of the server, and the one that claims idempotency keys runs first.
  server.addHook('onRoute', (route) => {
    route.preHandler = [...[route.preHandler ?? []].flat(), holdOrFreeze]
  })
  server.addHook('onSend', async (request) => {
    if (request.headers['x-kill'] === 'before-response') process.kill(process.pid, 'SIGKILL')
  })
})
startWatchdog({ seconds: config.WATCHDOG_SECONDS })
await app.listen({ host: '127.0.0.1', port: 0 })
services.lifecycle.state = 'ready'
console.log(`port ${(app.server.address() as AddressInfo).port}`)

async function holdOrFreeze({ headers }: FastifyRequest): Promise<void> {
  if (headers['x-kill'] === 'hold-before-transaction') await new Promise(() => {})
  if (headers['x-kill'] === 'freeze') freeze()
}

/** A regular expression that takes exponential time. */
function freeze(): boolean {
  return /^(\w+\w?)+ $/.test(`${'a'.repeat(100)}!`)
}
