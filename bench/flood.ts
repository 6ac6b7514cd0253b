// Sends concurrent failing sign-ins, each with another email and IP address. Runs in a separate process.

import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'

const [port, host, concurrency, seconds] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) })
const endMs = performance.now() + Number(seconds) * 1_000
const statuses: Record<number, number> = {}

function attemptSignIn(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const ipAddress = [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
  const headers = { host, 'content-type': 'application/json', 'x-forwarded-for': ipAddress }
  const clientRequest = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/auth/login', headers, agent })
  clientRequest.once('error', reject)
  clientRequest.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode!)))
  clientRequest.end(JSON.stringify({ email: `${randomInt(2 ** 47)}@flood.example`, password: 'let me in, please' }))
  return promise
}

const worker = async () => {
  while (performance.now() < endMs) {
    const status = await attemptSignIn()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker))
agent.destroy()
console.log(JSON.stringify(statuses))
