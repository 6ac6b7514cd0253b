// API server that kills itself on request after the commit and before the response, and can hold a request before its transaction
// or stop its event loop.
import type { AddressInfo } from 'node:net'
import { readConfig } from '#platform/config'
import { startWatchdog } from '#platform/watchdog'
import { buildApp } from '../../src/app.ts'
import { openServices } from '../../src/services.ts'

const config = readConfig()
const { services } = await openServices(config)
await services.jobQueue.start()
const app = await buildApp(services, async (server) => {
  server.addHook('preHandler', async (request) => {
    if (request.headers['x-kill'] === 'hold-before-transaction') await new Promise(() => {})
    if (request.headers['x-kill'] === 'freeze') freeze()
  })
  server.addHook('onSend', async (request) => {
    if (request.headers['x-kill'] === 'before-response') process.kill(process.pid, 'SIGKILL')
  })
})
startWatchdog({ seconds: config.WATCHDOG_SECONDS })
await app.listen({ host: '127.0.0.1', port: 0 })
services.lifecycle.state = 'ready'
console.log(`port ${(app.server.address() as AddressInfo).port}`)

/** A regular expression that takes exponential time. */
function freeze(): boolean {
  return /^(\w+\w?)+ $/.test(`${'a'.repeat(100)}!`)
}
