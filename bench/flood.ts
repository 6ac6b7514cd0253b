// Sends concurrent requests that are refused. Runs in a separate process.

import { randomInt } from 'node:crypto'
import { Agent, type RequestOptions, request } from 'node:http'

const [kind, port, host, concurrency, seconds] = process.argv.slice(2) as [string, string, string, string, string]
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) })
const endMs = performance.now() + Number(seconds) * 1_000
const statuses: Record<string, number> = {}

type FloodRequest = RequestOptions & { body?: object }

const kinds: Record<string, () => FloodRequest> = {
  /** Failing sign-ins, each with another email and IP address. */
  'sign-ins': () => {
    const ipAddress = [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
    return {
      method: 'POST',
      path: '/api/auth/login',
      headers: { host, 'content-type': 'application/json', 'x-forwarded-for': ipAddress },
      body: { email: `${randomInt(2 ** 47)}@flood.example`, password: 'let me in, please' },
    }
  },
  'unknown workspaces': () => ({
    path: '/api/users/',
    headers: { host: `w${randomInt(2 ** 47)}${host.slice(host.indexOf('.'))}` },
  }),
  'missing credentials': () => ({ path: '/api/users/', headers: { host } }),
}

function sendRequest(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { body, ...options } = kinds[kind]!()
  const clientRequest = request({ host: '127.0.0.1', port, agent, ...options })
  clientRequest.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'))
  clientRequest.once('response', (response) =>
    response.resume().once('close', () => resolve(String(response.statusCode))),
  )
  clientRequest.end(body && JSON.stringify(body))
  return promise
}

const worker = async () => {
  while (performance.now() < endMs) {
    const status = await sendRequest()
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker))
agent.destroy()
console.log(JSON.stringify(statuses))
