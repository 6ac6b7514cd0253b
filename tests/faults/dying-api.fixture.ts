// The API as it is served, except that it dies on request at the worst moment: after the commit, before the answer.
import type { AddressInfo } from 'node:net'
import { readConfig } from '#platform/config'
import { startJobs } from '#platform/jobs'
import { buildApp } from '../../src/app.ts'
import { openServices } from '../../src/services.ts'

const config = readConfig()
const { services } = await openServices(config)
await startJobs({ systemUrl: config.DATABASE_SYSTEM_URL })
const app = await buildApp(services, async (empty) => {
  empty.addHook('onSend', async (request) => {
    if (request.headers['x-die'] === 'before the answer') process.kill(process.pid, 'SIGKILL')
  })
})
await app.listen({ host: '127.0.0.1', port: 0 })
services.lifecycle.state = 'ready'
console.log(`port ${(app.server.address() as AddressInfo).port}`)
