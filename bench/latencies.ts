import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const requestsPerSecond = 60
const routes = ['/api/auth/me', '/api/users/', '/api/teams/', '/api/admin/settings']

type Reader = { port: number; host: string; tokens: string[]; seconds: number; localAddress?: string }

/** Reads at a fixed rate, independently of earlier responses, and returns the latencies. Fails if a response is not 200. */
export async function measureLatencies({ seconds, tokens, ...reader }: Reader): Promise<number[]> {
  const pending: Promise<number>[] = []
  for (let sent = 0; sent < seconds * requestsPerSecond; sent++) {
    pending.push(
      measureRequest({ ...reader, token: tokens[sent % tokens.length]!, path: routes[sent % routes.length]! }),
    )
    await sleep(1_000 / requestsPerSecond)
  }
  return await Promise.all(pending)
}

type Read = Pick<Reader, 'port' | 'host' | 'localAddress'> & { token: string; path: string }

function measureRequest({ port, host, localAddress, token, path }: Read): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const start = performance.now()
  const headers = { host, authorization: `Bearer ${token}` }
  const clientRequest = request({ host: '127.0.0.1', localAddress, port, path, headers })
  clientRequest.once('error', reject)
  clientRequest.once('response', (response) => {
    if (response.statusCode !== 200) reject(new Error(`${path} responded ${response.statusCode}`))
    response.resume().once('end', () => resolve(performance.now() - start))
  })
  clientRequest.end()
  return promise
}

export const p99 = (values: readonly number[]): number => percentile(values, 0.99)

/** NaN without values. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
