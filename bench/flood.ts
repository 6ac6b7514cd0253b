// A process of its own: so many wrong sign-ins at once for so long, each by somebody else from somewhere else.

import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'

const [port, host, parallel, seconds] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(parallel) })
const until = performance.now() + Number(seconds) * 1_000
const statuses: Record<number, number> = {}

function knock(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const address = [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
  const headers = { host, 'content-type': 'application/json', 'x-forwarded-for': address }
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/auth/login', headers, agent })
  sent.once('error', reject)
  sent.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode!)))
  sent.end(JSON.stringify({ email: `${randomInt(2 ** 47)}@flood.example`, password: 'let me in, please' }))
  return promise
}

const knocker = async () => {
  while (performance.now() < until) {
    const status = await knock()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}
await Promise.all(Array.from({ length: Number(parallel) }, knocker))
agent.destroy()
console.log(JSON.stringify(statuses))
