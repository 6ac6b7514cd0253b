import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import type { Config } from '#platform/config'

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Record<string, unknown> }

/** An API in a process of its own, on the database and the keys of the test. */
export async function startApiProcess(config: Config) {
  const environment = Object.entries(config).map(([name, value]) => [name, String(value)])
  const child = spawn(process.execPath, [join(import.meta.dirname, 'dying-api.fixture.ts')], {
    env: { PATH: process.env.PATH, ...Object.fromEntries(environment) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const port = Number(line.replace('port ', ''))

  /** `fetch` would not let us name the host. */
  function send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const sent = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
    })
    sent.once('error', reject)
    sent.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : {} })
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }
  return { child, send }
}
